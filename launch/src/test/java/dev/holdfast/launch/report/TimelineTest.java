package dev.holdfast.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  @TempDir Path folder;

  @Test
  void whatIsWrittenIsReadBack() throws Exception {
    Path file = folder.resolve("run/timeline.log");
    Moment first;
    try (Timeline timeline =
        Timeline.open(file, () -> Instant.parse("2026-03-01T10:00:00.123456Z"), () -> 42)) {
      first = timeline.add(Kinds.JOB_BEGUN, "job", "local-1", "command", List.of("a", "b\n\"ü"));
      timeline.add(Kinds.STEP, "attempt", 0, "step", 5L);
    }
    TimelineFile read = TimelineFile.read(file);
    assertThat(read.moments()).hasSize(2);
    assertThat(read.moments().getFirst()).isEqualTo(first);
    assertThat(read.garbled()).isZero();
    assertThat(Files.readAllLines(file).getLast()).matches("[0-9a-f]{8} \\{.*\"step\":5.*}");
  }

  @Test
  void aBrokenEndIsCutAndCounted() throws Exception {
    Path file = file(3);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 7));
    try (Timeline timeline = Timeline.open(file)) {
      assertThat(timeline.cutLines()).isEqualTo(1);
      assertThat(timeline.moments()).hasSize(2);
      timeline.add(Kinds.WATCHER_RESTARTED);
    }
    assertThat(TimelineFile.read(file).moments())
        .extracting(Moment::kind)
        .containsExactly(Kinds.STEP, Kinds.STEP, Kinds.WATCHER_RESTARTED);
    assertThat(TimelineFile.read(file).garbled()).isZero();
  }

  @Test
  void cutAnywhereNothingWholeIsLost() throws Exception {
    Path file = file(5);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length <= whole.length; length++) {
      Path part = Files.write(folder.resolve("part"), Arrays.copyOf(whole, length));
      long lines =
          new String(whole, 0, length, StandardCharsets.UTF_8)
              .chars()
              .filter(c -> c == '\n')
              .count();
      TimelineFile read = TimelineFile.read(part);
      assertThat(read.moments()).hasSize((int) lines);
      assertThat(read.goodBytes()).isLessThanOrEqualTo(length);
    }
  }

  @Test
  void garbledLinesAreSkippedAndTheRestIsRead() throws Exception {
    Path file = file(3);
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    Files.writeString(file, "not a line\n", StandardOpenOption.APPEND);
    TimelineFile read = TimelineFile.read(file);
    assertThat(read.moments()).hasSize(2);
    assertThat(read.garbled()).isEqualTo(2);
  }

  @Test
  void anythingCanBeRead() throws Exception {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      byte[] noise = new byte[random.nextInt(200_000)];
      random.nextBytes(noise);
      Path file = Files.write(folder.resolve("noise"), noise);
      assertThat(TimelineFile.read(file).moments()).isEmpty();
    }
  }

  @Test
  void aFullDiskLosesMomentsAndSaysSo() throws Exception {
    Timeline timeline = Timeline.open(Path.of("/dev/full"));
    timeline.add(Kinds.TROUBLE, "what", "x");
    timeline.close();
    assertThat(timeline.lost()).isEqualTo(1);
    assertThat(timeline.trouble()).isNotEmpty();
    assertThat(timeline.moments()).as("still known to the writer").hasSize(1);
  }

  @Test
  void aMomentTooLongToKeepIsCounted() throws Exception {
    Path file = folder.resolve("timeline.log");
    Timeline timeline = Timeline.open(file);
    timeline.add(Kinds.TROUBLE, "what", "x".repeat(TimelineFile.MAX_LINE));
    timeline.add(Kinds.TROUBLE, "what", "y");
    timeline.close();
    assertThat(timeline.lost()).isEqualTo(1);
    assertThat(TimelineFile.read(file).moments()).hasSize(1);
  }

  @Test
  void manyStepSamplesAreThinnedOutInMemoryNotWhatMatters() throws Exception {
    try (Timeline timeline = Timeline.open(folder.resolve("timeline.log"))) {
      timeline.add(Kinds.JOB_BEGUN, "job", "j");
      for (long step = 0; step < 50_000; step++) {
        timeline.add(Kinds.STEP, "attempt", 0, "step", step);
      }
      assertThat(timeline.moments()).hasSizeLessThanOrEqualTo(20_000);
      assertThat(timeline.moments().getFirst().kind()).isEqualTo(Kinds.JOB_BEGUN);
      assertThat(timeline.moments().getLast().details()).containsEntry("step", 49_999L);
    }
  }

  private Path file(int moments) throws Exception {
    Path file = folder.resolve("made.log");
    try (Timeline timeline = Timeline.open(file)) {
      for (int i = 0; i < moments; i++) {
        timeline.add(Kinds.STEP, "attempt", 0, "step", i);
      }
    }
    return file;
  }
}
