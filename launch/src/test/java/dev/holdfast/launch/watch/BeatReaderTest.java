package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BeatReaderTest {
  @TempDir Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void place() {
    file = folder.resolve("beats");
  }

  private void append(String text) throws IOException {
    append(text.getBytes(StandardCharsets.UTF_8));
  }

  private void append(byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aFileThatIsNotThereYetTellsNothing() {
    assertThat(BeatReader.ofFile(file).look()).isEqualTo(Beats.NONE);
  }

  @Test
  void stepsLossesAndPhasesAreRead() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    append("{\"t\":12.5,\"step\":7,\"loss\":0.25,\"grad_norm\":\"inf\"}\n");
    Beats beats = reader.look();
    assertThat(beats.step()).isEqualTo(7);
    assertThat(beats.count()).isEqualTo(1);
    assertThat(beats.fresh().getFirst().seconds()).isEqualTo(12.5);
    assertThat(beats.fresh().getFirst().loss()).isEqualTo(OptionalDouble.of(0.25));
    assertThat(beats.fresh().getFirst().gradientNorm().getAsDouble()).isInfinite();
    append("{\"t\":13,\"phase\":\"checkpoint\",\"event\":\"begin\"}\n");
    assertThat(reader.look().phase()).isEqualTo("checkpoint");
    append("{\"t\":14,\"phase\":\"upload\",\"event\":\"begin\"}\n");
    assertThat(reader.look().phase()).isEqualTo("upload");
    append("{\"t\":15,\"phase\":\"upload\",\"event\":\"end\"}\n");
    assertThat(reader.look().phase()).isEqualTo("checkpoint");
    append("{\"t\":15,\"phase_end\":\"checkpoint\"}\n");
    assertThat(reader.look().phase()).isEmpty();
    assertThat(reader.look().count()).isEqualTo(5);
  }

  @Test
  void aCheckpointThatFailedIsNone() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    append("{\"t\":13,\"phase\":\"checkpoint\",\"event\":\"begin\"}\n");
    append("{\"t\":14,\"phase\":\"checkpoint\",\"event\":\"failed\"}\n");
    assertThat(reader.look().phase()).isEmpty();
    assertThat(reader.look().checkpoints()).isZero();
    append("{\"t\":15,\"phase\":\"checkpoint\",\"event\":\"begin\"}\n");
    append("{\"t\":16,\"phase\":\"checkpoint\",\"event\":\"end\"}\n");
    assertThat(reader.look().checkpoints()).isEqualTo(1);
  }

  @Test
  void halfALineIsReadWhenItIsWhole() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    append("{\"step\":1}\n{\"st");
    assertThat(reader.look().step()).isEqualTo(1);
    append("ep\":2}");
    assertThat(reader.look().step()).isEqualTo(1);
    append("\n");
    assertThat(reader.look().step()).isEqualTo(2);
  }

  @Test
  void aFileCutOrReplacedIsReadFromItsBeginning() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    append("{\"step\":10}\n{\"step\":11}\n");
    reader.look();
    Files.writeString(file, "{\"step\":1}\n");
    assertThat(reader.look().step()).isEqualTo(1);
    Path other = Files.writeString(folder.resolve("other"), "{\"step\":2}\n{\"step\":3}\n");
    Files.delete(file);
    Files.move(other, file);
    assertThat(reader.look().step()).isEqualTo(3);
  }

  @Test
  void anyFileThatIsTouchedIsASignOfLife() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    append("x");
    long count = reader.look().count();
    assertThat(reader.look().count()).isEqualTo(count);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    assertThat(reader.look().count()).isEqualTo(count + 1);
  }

  @Test
  void garbageIsBorneAndBounded() throws IOException {
    BeatReader reader = BeatReader.ofFile(file);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 60; i++) {
      byte[] noise = new byte[random.nextInt(1, 200_000)];
      random.nextBytes(noise);
      append(noise);
      if (random.nextInt(10) == 0) {
        append("\n{\"step\":" + i + "}\n");
      }
      reader.look();
    }
    append("\n{\"step\":\"seven\"}\n{\"step\":1e99}\n[1]\n{}\n{\"step\":77}\n");
    Beats last = reader.look();
    for (int i = 0; i < 40; i++) {
      last = reader.look();
    }
    assertThat(last.step()).isEqualTo(77);
    assertThat(last.garbage()).isPositive();
  }

  @Test
  void farBehindItGoesOnNearTheEnd() throws IOException {
    append("x\n".repeat(2_000_000) + "{\"step\":5}\n");
    assertThat(BeatReader.ofFile(file).look().step()).isEqualTo(5);
  }

  @Test
  void aPatternFindsTheStepInOutput() throws IOException {
    BeatReader reader = BeatReader.ofOutput(file, Pattern.compile("step (\\d+)"));
    append("loading\nepoch 1 step 12 loss 3.2\rstep 13\n");
    assertThat(reader.look().step()).isEqualTo(13);
    assertThat(reader.look().count()).isEqualTo(2);
    append("nothing\n");
    assertThat(reader.look().count()).isEqualTo(2);
  }

  @Test
  void aPatternThatExplodesDoesNotStopTheWatcher() throws IOException {
    BeatReader reader = BeatReader.ofOutput(file, Pattern.compile("(a+)+b (\\d+)"));
    append("a".repeat(5000) + "c\n");
    assertThat(reader.look().count()).isZero();
  }
}
