package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Does a program start with the streams it is given, and what is known of its end? */
class SpawnTest {
  @Test
  void aProgramWritesToOurPipeAndItsEndIsKnownExactly() throws Exception {
    assertThat(run("echo hello; exit 137")).isEqualTo("hello\n137 0");
    assertThat(run("kill -KILL $$")).isEqualTo("-1 9");
    assertThat(run("exit 0")).isEqualTo("0 0");
  }

  @Test
  void aProgramReadsFromOurPipeUntilItIsClosed() throws Exception {
    try (ChildOutput output = ChildOutput.open()) {
      ChildInput input = ChildInput.open();
      long pid =
          Spawn.start(
              words("/bin/cat"), List.of(), input.readEnd(), output.writeEnd(), 2, List.of());
      input.closeReadEnd();
      output.closeWriteEnd();
      input.write("one\ntwo".getBytes(StandardCharsets.UTF_8));
      input.close();
      assertThat(readAll(output)).isEqualTo("one\ntwo");
      Reaper.collect(pid);
    }
  }

  @Test
  void aProgramGetsTheFurtherDescriptorsAndNoOthers() throws Exception {
    try (ChildOutput output = ChildOutput.open();
        ChildOutput answers = ChildOutput.open()) {
      ChildInput orders = ChildInput.open();
      long pid =
          Spawn.start(
              words("/bin/sh", "-c", "cat <&3 >&4; [ -e /proc/$$/fd/5 ] || echo no fifth"),
              List.of("PATH=/usr/bin:/bin".getBytes(StandardCharsets.US_ASCII)),
              Spawn.NOTHING,
              output.writeEnd(),
              Spawn.NOTHING,
              List.of(orders.readEnd(), answers.writeEnd()));
      orders.closeReadEnd();
      output.closeWriteEnd();
      answers.closeWriteEnd();
      orders.write("word".getBytes(StandardCharsets.UTF_8));
      orders.close();
      assertThat(readAll(answers)).isEqualTo("word");
      assertThat(readAll(output)).isEqualTo("no fifth\n");
      Reaper.collect(pid);
    }
  }

  @Test
  void aProgramThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () ->
                Spawn.start(
                    words("/no/such/program"),
                    List.of(),
                    Spawn.NOTHING,
                    Spawn.NOTHING,
                    Spawn.NOTHING,
                    List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("/no/such/program: ENOENT, no such file");
  }

  @Test
  void aReaderCanBeCalledAway() throws Exception {
    try (ChildOutput output = ChildOutput.open();
        Arena arena = Arena.ofConfined()) {
      Thread.ofPlatform().start(output::wake);
      output.await(60_000);
      assertThat(output.read(arena.allocate(10))).isZero();
    }
  }

  @Test
  void nobodyIsSignalledByMistake() {
    for (long everybody : List.of(0L, -1L, 1L)) {
      assertThatThrownBy(() -> Signals.send(everybody, Signals.KILL))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static String run(String script) throws IOException {
    try (ChildOutput output = ChildOutput.open()) {
      long pid =
          Spawn.start(
              words("/bin/sh", "-c", script),
              List.of("PATH=/usr/bin:/bin".getBytes(StandardCharsets.US_ASCII)),
              Spawn.NOTHING,
              output.writeEnd(),
              Spawn.NOTHING,
              List.of());
      output.closeWriteEnd();
      String text = readAll(output);
      // This process has children of Java too: only ours may be collected here.
      Reaper.Ended end = Reaper.await(pid).orElseThrow();
      Reaper.collect(pid);
      assertThat(Reaper.await(pid)).isEmpty();
      assertThat(end.pid()).isEqualTo(pid);
      return text + end.exitCode() + " " + end.signal();
    }
  }

  private static String readAll(ChildOutput output) {
    StringBuilder text = new StringBuilder();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(3);
      for (int count = 0; count >= 0; count = output.read(buffer)) {
        text.append(
            new String(
                buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        if (count == 0) {
          output.await(60_000);
        }
      }
    }
    return text.toString();
  }

  private static List<byte[]> words(String... words) {
    return Stream.of(words).map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
  }
}
