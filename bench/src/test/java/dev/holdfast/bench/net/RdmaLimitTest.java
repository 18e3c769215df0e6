package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that may not be locked is said before RDMA fails. */
class RdmaLimitTest {
  private static final String LITTLE =
      "Max locked memory         65536                65536                bytes\n";

  @TempDir private Path root;

  @BeforeEach
  void aHostWithAnAdapter() throws IOException {
    Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    Files.createDirectories(root.resolve("proc/self"));
    limits(LITTLE);
    capabilities("0000000000000000");
  }

  private void limits(String text) throws IOException {
    Files.writeString(root.resolve("proc/self/limits"), "Limit  Soft  Hard  Units\n" + text);
  }

  private void capabilities(String mask) throws IOException {
    Files.writeString(root.resolve("proc/self/status"), "Name:\tjava\nCapEff:\t" + mask + "\n");
  }

  private void passes(Map<String, String> environment) {
    assertThatCode(() -> RdmaLimit.require(environment, root)).doesNotThrowAnyException();
  }

  @Test
  void tooLittleIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> RdmaLimit.require(Map.of(), root))
        .hasMessageContaining("may lock only 64 KiB of memory")
        .hasMessageContaining("LimitMEMLOCK=infinity")
        .hasMessageContaining("NCCL_IB_DISABLE=1");
  }

  @Test
  void enoughUnlimitedOrNotToldIsNotRefused() throws IOException {
    limits("Max locked memory         unlimited            unlimited            bytes\n");
    passes(Map.of());
    limits("Max locked memory         8388608              8388608              bytes\n");
    passes(Map.of());
    limits("");
    passes(Map.of());
  }

  @Test
  void whoMayExceedTheLimitOrUsesNoRdmaIsNotRefused() throws IOException {
    passes(Map.of("NCCL_IB_DISABLE", "1"));
    capabilities("0000000000004000");
    passes(Map.of());
    capabilities("not a mask");
    assertThatThrownBy(() -> RdmaLimit.require(Map.of(), root)).isInstanceOf(IOException.class);
    Files.delete(root.resolve("sys/class/infiniband/mlx5_0"));
    passes(Map.of());
  }
}
