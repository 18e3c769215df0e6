package dev.holdfast.launch.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.watch.Beat;
import dev.holdfast.launch.watch.BeatReader;
import dev.holdfast.launch.watch.Beats;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the watcher understands what the Python package writes. */
class BeatsIT {
  private Path python;
  private Path file;
  private BeatReader reader;

  @TempDir Path folder;

  @BeforeEach
  void follow() {
    python = Tools.require("python3", "python3");
    file = folder.resolve("beats.jsonl");
    reader = BeatReader.ofFile(file);
  }

  @Test
  void stepsNumbersAndPhasesArrive() {
    run(
        """
        import holdfast
        holdfast.beat(41, loss=0.5, grad_norm=2)
        holdfast.beat(42, loss=float("nan"), grad_norm=float("inf"), note='a "quoted" word')
        holdfast.phase("checkpoint").__enter__()
        """);
    Beats beats = reader.look();
    assertThat(beats.step()).isEqualTo(42);
    assertThat(beats.count()).isEqualTo(3);
    assertThat(beats.phase()).isEqualTo("checkpoint");
    assertThat(beats.garbage()).isZero();
    Beat first = beats.fresh().getFirst();
    assertThat(first.loss()).hasValue(0.5);
    assertThat(first.gradientNorm()).hasValue(2);
    Beat second = beats.fresh().get(1);
    assertThat(second.loss().orElse(0)).isNaN();
    assertThat(second.gradientNorm()).hasValue(Double.POSITIVE_INFINITY);

    run(
        """
        import holdfast
        with holdfast.phase("evaluation"):
            pass
        """);
    assertThat(reader.look().phase()).isEqualTo("checkpoint");
  }

  @Test
  void aFileThatStartedOverIsFollowed() throws Exception {
    Files.writeString(file, "{\"t\":1,\"step\":7}\n".repeat(80_000));
    for (int look = 0; look < 10; look++) {
      reader.look();
    }
    run("import holdfast; holdfast.beat(8)");
    assertThat(Files.size(file)).isLessThan(1000);
    assertThat(reader.look().step()).isEqualTo(8);
  }

  private void run(String program) {
    CommandResult result =
        Command.of(python.toString(), "-B", "-c", program)
            .within(Duration.ofMinutes(1))
            .with("PYTHONPATH", "../python/sitecustomize")
            .with("HOLDFAST_BEAT_FILE", file.toString())
            .run();
    assertThat(result.exitCode()).as(result.error()).isZero();
    assertThat(result.error()).isEmpty();
  }
}
