package dev.holdfast.core.forensics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.holdfast.core.archive.ArchiveKind;
import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.ArchiveReader;
import dev.holdfast.core.archive.ArchiveWriter;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.FlightReader;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.flight.Vocabulary;
import dev.holdfast.core.forensics.stacks.StackReader;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.forensics.stacks.StatDot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * What a stopped run leaves behind may be broken in every way: whatever comes, the answer is a
 * value or a refusal, soon and with little memory. {@code -Dholdfast.fuzz.seconds=3600} goes on for
 * an hour, {@code -Dholdfast.fuzz.seed=N} elsewhere.
 */
class ForensicsFuzzTest {
  private static final long SECONDS = Long.getLong("holdfast.fuzz.seconds", 4);
  private static final long SEED = Long.getLong("holdfast.fuzz.seed", 1);
  private static final long LONGEST_NANOS = 5_000_000_000L;
  private static final int MOST_BYTES = 1 << 20;
  private static final ArchiveKind KIND = new ArchiveKind("evidence", 1);

  /** Something that reads. */
  private interface Target {
    void read(byte[] bytes) throws IOException;
  }

  private record Kind(String name, List<byte[]> seeds, Target target) {}

  @Test
  void whateverComesIsReadOrRefused(TestReporter reporter) throws IOException {
    List<Kind> kinds =
        List.of(
            new Kind(
                "flight recorder dump",
                List.of(
                    recorded("torch-2.11-done.pickle"),
                    recorded("torch-2.11-waiting.pickle"),
                    recorded("torch-2.11-done.json")),
                ForensicsFuzzTest::flight),
            new Kind("dot", List.of(dot()), bytes -> StatDot.parse(text(bytes))),
            new Kind(
                "stacks",
                List.of(bytes(FAULT_HANDLER), bytes(GDB)),
                bytes -> StackReader.read(text(bytes))),
            new Kind(
                "traces",
                List.of(bytes("{\"traces\":[{\"rank\":0,\"frames\":[\"main\",\"f@a.c:3\"]}]}")),
                bytes -> StackReader.traces(text(bytes))),
            new Kind(
                "archive",
                List.of(archive()),
                bytes -> ArchiveReader.read("x", bytes, KIND, ArchiveLimits.DEFAULT)));
    SplittableRandom random = new SplittableRandom(SEED);
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    long cases = 0;
    long refused = 0;
    while (System.nanoTime() < end) {
      Kind kind = kinds.get((int) (cases % kinds.size()));
      byte[] bytes = mutated(kind.seeds().get(random.nextInt(kind.seeds().size())), random);
      refused += tried(kind, bytes) ? 0 : 1;
      cases++;
    }
    assertThat(cases).isGreaterThan(100);
    assertThat(refused).as("mutations that break something").isGreaterThan(cases / 20);
    reporter.publishEntry("cases", cases + ", of which refused " + refused);
  }

  private static boolean tried(Kind kind, byte[] bytes) {
    long begun = System.nanoTime();
    boolean read;
    try {
      kind.target().read(bytes);
      read = true;
    } catch (IOException | IllegalArgumentException | HoldfastException said) {
      read = false;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError crash) {
      return fail(kind.name() + ": " + crash + " at " + hex(bytes), crash);
    }
    long took = System.nanoTime() - begun;
    assertThat(took)
        .as("%s took %d ms: %s", kind.name(), took / 1_000_000, hex(bytes))
        .isLessThan(LONGEST_NANOS);
    return read;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(Arrays.copyOf(bytes, Math.min(bytes.length, 4096)));
  }

  private static byte[] mutated(byte[] seed, SplittableRandom random) {
    byte[] bytes = seed.clone();
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(7)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = (byte) random.nextInt(256);
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        case 3 -> bytes = spliced(bytes, at, random.nextInt(bytes.length), random.nextInt(64));
        case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 4), (byte) 0xFF);
        case 5 -> bytes = repeated(bytes, at, 1 + random.nextInt(32), 1 + random.nextInt(400));
        default -> bytes[at] = (byte) "0123456789-.\"'{}[]()\\\n".charAt(random.nextInt(22));
      }
    }
    return bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes;
  }

  private static byte[] spliced(byte[] bytes, int at, int from, int length) {
    int some = Math.min(length, bytes.length - from);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + some);
    System.arraycopy(bytes, at, longer, at + some, bytes.length - at);
    System.arraycopy(bytes, from, longer, at, some);
    return longer;
  }

  private static byte[] repeated(byte[] bytes, int at, int length, int times) {
    int some = Math.min(length, bytes.length - at);
    byte[] longer = Arrays.copyOf(bytes, bytes.length + some * times);
    System.arraycopy(bytes, at, longer, at + some * times, bytes.length - at);
    for (int i = 0; i < times; i++) {
      System.arraycopy(bytes, at, longer, at + i * some, some);
    }
    return longer;
  }

  private static void flight(byte[] bytes) throws IOException {
    Vocabulary vocabulary = new Vocabulary();
    var flight = FlightReader.read(0, new ByteArrayInputStream(bytes), vocabulary);
    assertThat(FlightAnalysis.of(Recordings.of(vocabulary, List.of(flight), Map.of(), 0)))
        .isNotEmpty();
  }

  private static byte[] dot() {
    StackTree tree = new StackTree();
    for (int rank = 0; rank < 32; rank++) {
      List<String> frames = new ArrayList<>(List.of("main", "step@train.c:" + rank % 3));
      frames.add(rank % 7 == 0 ? "poll" : "MPI_Allreduce");
      tree.add(rank, frames);
    }
    return bytes(StatDot.of(tree).text());
  }

  private static byte[] archive() {
    return ArchiveWriter.write(
        KIND,
        Instant.EPOCH,
        "test",
        Map.of("timeline.log", bytes("a line\n".repeat(50)), "attempt_0/hang.json", bytes("{}")),
        ArchiveLimits.DEFAULT);
  }

  private static byte[] recorded(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            FlightReader.class.getResourceAsStream(name), "no recorded dump " + name)) {
      return in.readAllBytes();
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static final String FAULT_HANDLER =
      """
      Thread 0x00007f0 (most recent call first):
        File "/usr/lib/python3/dataloader.py", line 671 in _next_data
        File "train.py", line 90 in <module>

      Current thread 0x00007f1 (most recent call first):
        File "train.py", line 12 in step
      """;
  private static final String GDB =
      """
      Thread 1 (LWP 7):
      #0  0x00007f in poll (fds=0x1, nfds=2) at ../sysdeps/poll.c:29
      #1  0x00007f in main ()
      """;
}
