package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NcclFilesTest {
  @TempDir private Path root;

  private String place(String path) throws Exception {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.createFile(file).toString();
  }

  @Test
  void theOneOfTheActiveEnvironmentComesFirstAndTheLoadersLast() throws Exception {
    String venv = place("opt/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
    String system = place("usr/local/lib/python3.11/dist-packages/nvidia/nccl/lib/libnccl.so.2");
    assertThat(
            NcclFiles.of(
                Map.of("VIRTUAL_ENV", "/opt/venv", "PATH", "/usr/local/bin:/opt/venv/bin:relative"),
                root))
        .containsExactly(venv, system, "libnccl.so.2");
  }

  @Test
  void theOneNamedIsTheOnlyOneTried() throws Exception {
    place("opt/venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
    assertThat(
            NcclFiles.of(Map.of("HOLDFAST_NCCL", "/x/libnccl.so", "PATH", "/opt/venv/bin"), root))
        .containsExactly("/x/libnccl.so");
  }

  @Test
  void gpusAreCountedByTheirFilesUnlessSomeAreChosen() throws Exception {
    assertThat(NcclFiles.gpus(Map.of(), root)).isZero();
    place("dev/nvidia0");
    place("dev/nvidia1");
    place("dev/nvidiactl");
    place("dev/nvidia-uvm");
    assertThat(NcclFiles.gpus(Map.of(), root)).isEqualTo(2);
    assertThat(NcclFiles.gpus(Map.of("CUDA_VISIBLE_DEVICES", "1"), root)).isEqualTo(1);
    assertThat(NcclFiles.gpus(Map.of("CUDA_VISIBLE_DEVICES", ""), root)).isZero();
  }
}
