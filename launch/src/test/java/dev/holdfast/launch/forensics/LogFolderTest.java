package dev.holdfast.launch.forensics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.logs.LogVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFolderTest {
  @TempDir private Path folder = Path.of("");

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }

  @Test
  void ofSeveralAttemptsTheLastOneCounts() throws IOException {
    for (int local = 0; local < 2; local++) {
      write("job_n1/attempt_0/" + local + "/stderr.log", "MemoryError\n");
      write("job_n1/attempt_1/" + local + "/stdout.log", "hello\n");
    }
    write("job_n1/attempt_1/1/stderr.log", "torch.OutOfMemoryError: CUDA out of memory.\n");
    write("job_n1/timeline.log", "CUDA error: of no interest\n");
    LogVerdict verdict = LogFolder.read(folder);
    assertThat(verdict.volume().files()).isEqualTo(3);
    assertThat(verdict.first().ranks()).containsExactly(1);
    assertThat(verdict.first().kind()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(verdict.first().evidence().getFirst()).contains("on n1");
  }

  @Test
  void anErrorFileTellsTheExceptionAndItsTime() throws IOException {
    write("job_n1/attempt_0/0/stderr.log", "nothing\n");
    write(
        "job_n1/attempt_0/1/error.json",
        "{\"message\":{\"message\":\"ValueError:"
            + " odd\",\"extraInfo\":{\"timestamp\":\"1794800703\"}}}");
    LogVerdict verdict = LogFolder.read(folder);
    assertThat(verdict.first().ranks()).containsExactly(1);
    assertThat(verdict.first().when().orElseThrow()).hasToString("2026-11-16T03:45:03Z");
  }

  @Test
  void numbersAreRanksOnlyWhereThereAreSeveral() throws IOException {
    write("job_4711.err", "x\n");
    assertThat(LogFolder.sources(folder)).singleElement().matches(one -> one.rank() < 0);
    write("job_4712.err", "x\n");
    assertThat(LogFolder.sources(folder)).extracting(LogSource::rank).containsExactly(4711, 4712);
  }

  @Test
  void picturesAndWeightsAreNotLogs() throws IOException {
    write("model.safetensors", "CUDA out of memory");
    write("loss.png", "CUDA out of memory");
    assertThat(LogFolder.sources(folder)).isEmpty();
  }

  @Test
  void oneFileIsEnough() throws IOException {
    write("slurm-1.out", "0: fine\n1: fine\n1: torch.OutOfMemoryError: CUDA out of memory.\n");
    assertThat(LogFolder.read(folder.resolve("slurm-1.out")).first().ranks()).containsExactly(1);
  }
}
