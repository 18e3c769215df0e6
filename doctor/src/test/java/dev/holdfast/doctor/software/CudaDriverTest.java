package dev.holdfast.doctor.software;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class CudaDriverTest {
  private static final String JSON = "{\"cuda\":{\"name\":\"CUDA SDK\",\"version\":\"%s\"}}";

  private static TestNode toolkit(TestNode node, String folder, String version) {
    return node.file(folder + "/version.json", JSON.formatted(version));
  }

  @Test
  void aDriverBelowTheFloorOfTheToolkitIsTold() {
    CheckResult result =
        toolkit(SoftwareNode.with("470.57.02", "8.0"), "/usr/local/cuda", "12.4.1")
            .examine(new CudaDriver());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.DEGRADED);
    assertThat(result.findings().getFirst().summary()).contains("470.57.02", "525.60.13");
    assertThat(result.findings().getFirst().remedy()).contains("11.8 or older");
  }

  @Test
  void minorVersionCompatibilityIsEnough() {
    CheckResult result =
        toolkit(SoftwareNode.with("525.85.12", "8.0"), "/usr/local/cuda", "12.9")
            .examine(new CudaDriver());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aForwardCompatibilityPackageHealsAnOldDriver() {
    CheckResult result =
        toolkit(SoftwareNode.with("535.104.05", "9.0"), "/usr/local/cuda", "13.0.1")
            .file("/usr/local/cuda/compat/libcuda.so.580.82.07", "")
            .examine(new CudaDriver());
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
    assertThat(result.detail()).contains("forward-compatibility");
  }

  @Test
  void aCompatibilityLibraryOlderThanTheDriverIsTold() {
    CheckResult result =
        SoftwareNode.with("580.95.05", "9.0")
            .probe("environment", "LD_LIBRARY_PATH=/usr/local/cuda/compat:/usr/lib64\n")
            .file("/usr/local/cuda/compat/libcuda.so.1", "")
            .file("/usr/local/cuda/compat/libcuda.so.550.54.15", "")
            .examine(new CudaDriver());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().remedy()).contains("/usr/local/cuda/compat");
  }

  @Test
  void aToolkitThatIsNotTheDefaultIsNobodysProblem() {
    TestNode node = SoftwareNode.with("535.104.05", "9.0");
    toolkit(node, "/usr/local/cuda", "12.2");
    toolkit(node, "/usr/local/cuda-13.0", "13.0.0");
    assertThat(node.examine(new CudaDriver()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aMachineWithAToolkitButNoDriverIsSkipped() {
    CheckResult result =
        toolkit(new TestNode(), "/usr/local/cuda", "13.0").examine(new CudaDriver());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void theRuntimeLibraryTellsTheVersionWhereTheFileIsGarbage() {
    CheckResult result =
        SoftwareNode.with("470.57.02", "8.0")
            .file("/usr/local/cuda/version.json", "{\"cuda\":[]}")
            .file("/usr/local/cuda/lib64/libcudart.so.12", "")
            .file("/usr/local/cuda/lib64/libcudart.so.12.4.127", "")
            .examine(new CudaDriver());
    assertThat(result.findings()).hasSize(1);
  }

  @Test
  void theNameOfTheFolderTellsTheVersionOfAToolkitWithoutFilesThatDo() {
    CheckResult result =
        SoftwareNode.with("470.57.02", "8.0")
            .link("/usr/local/cuda", "/etc/alternatives/cuda")
            .link("/etc/alternatives/cuda", "/usr/local/cuda-13.0")
            .file("/usr/local/cuda/lib64/libcudart.so.13", "")
            .examine(new CudaDriver());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary()).contains("CUDA 13.0");
  }

  @Test
  void aReleaseNobodyKnowsIsSkipped() {
    CheckResult result =
        toolkit(SoftwareNode.with("580.95.05", "9.0"), "/usr/local/cuda", "27.1")
            .examine(new CudaDriver());
    assertThat(result.outcome()).isEqualTo(Outcome.SKIP);
  }
}
