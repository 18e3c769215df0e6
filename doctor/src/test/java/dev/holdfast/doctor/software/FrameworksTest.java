package dev.holdfast.doctor.software;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class FrameworksTest {
  private static final String VENV = SoftwareNode.VENV;
  private static final String CONDA = "/opt/conda/lib/python3.11/site-packages";

  private static Finding only(CheckResult result) {
    assertThat(result.findings()).hasSize(1);
    return result.findings().getFirst();
  }

  private static CheckResult torch(
      Check check, String driver, String capability, String version, String cuda) {
    return SoftwareNode.torch(SoftwareNode.with(driver, capability), VENV, version, cuda)
        .examine(check);
  }

  @Test
  void theActivePyTorchThatCannotUseTheDriverIsFatal() {
    Finding finding = only(torch(new TorchCuda(), "470.57.02", "8.0", "2.6.0+cu124", "12.4"));
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.summary()).contains("2.6.0+cu124", "525.60.13", "470.57.02");
  }

  @Test
  void aPyTorchLyingAboutIsMilder() {
    TestNode node = SoftwareNode.with("470.57.02", "8.0").probe("environment", "");
    Finding finding =
        only(SoftwareNode.torch(node, CONDA, "2.6.0+cu124", "12.4").examine(new TorchCuda()));
    assertThat(finding.severity()).isEqualTo(Severity.DEGRADED);
  }

  @Test
  void anActivePyTorchWithoutCudaOnAGpuNodeIsTold() {
    assertThat(only(torch(new TorchCuda(), "580.95.05", "9.0", "2.9.0+cpu", "")).summary())
        .contains("without CUDA");
  }

  @Test
  void aFittingPyTorchPasses() {
    assertThat(torch(new TorchCuda(), "580.95.05", "9.0", "2.9.1+cu130", "13.0").outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(torch(new TorchArchitecture(), "580.95.05", "9.0", "2.9.1+cu130", "13.0").outcome())
        .isEqualTo(Outcome.PASS);
    assertThat(torch(new TorchPython(), "580.95.05", "9.0", "2.9.1+cu130", "13.0").outcome())
        .isEqualTo(Outcome.PASS);
  }

  @Test
  void newPyTorchOnVoltaNeedsTheWheelForCuda126() {
    Finding finding =
        only(torch(new TorchArchitecture(), "580.95.05", "7.0", "2.12.0+cu130", "13.0"));
    assertThat(finding.severity()).isEqualTo(Severity.FATAL);
    assertThat(finding.remedy()).contains("torch==2.12.0", "cu126");
  }

  @Test
  void blackwellNeedsANewerPyTorch() {
    Finding finding =
        only(torch(new TorchArchitecture(), "580.95.05", "10.0", "2.6.0+cu126", "12.6"));
    assertThat(finding.remedy()).contains("newer PyTorch", "12.8");
  }

  @Test
  void aBuildOfItsOwnIsNotJudgedByTheTableOfWheels() {
    CheckResult own =
        torch(new TorchArchitecture(), "580.95.05", "10.0", "2.6.0a0+ecf3bae40a.nv25.01", "12.6");
    assertThat(own.outcome()).isEqualTo(Outcome.SKIP);
    assertThat(only(torch(new TorchArchitecture(), "580.95.05", "7.0", "2.9.0a0+gitabc", "13.0")))
        .isNotNull();
  }

  @Test
  void aPythonThePyTorchReleaseDoesNotKnowIsTold() {
    TestNode node = new TestNode().probe("environment", "CONDA_PREFIX=/opt/conda\n");
    SoftwareNode.torch(node, "/opt/conda/lib/python3.13/site-packages", "2.4.0+cu121", "12.1");
    assertThat(only(node.examine(new TorchPython())).summary()).contains("3.8", "3.12", "3.13");
  }

  @Test
  void tensorFlowIsHeldAgainstTheDriver() {
    TestNode old =
        SoftwareNode.with("470.57.02", "8.0")
            .file(VENV + "/tensorflow-2.18.0.dist-info/METADATA", "");
    assertThat(only(old.examine(new TensorFlowCuda())).severity()).isEqualTo(Severity.FATAL);
    TestNode fine =
        SoftwareNode.with("535.104.05", "8.0")
            .file(VENV + "/tensorflow-2.18.0.dist-info/METADATA", "");
    assertThat(fine.examine(new TensorFlowCuda()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void nodesWithoutFrameworksOrDriversAreSkipped() {
    TestNode laptop = SoftwareNode.torch(new TestNode(), CONDA, "2.9.1+cpu", "");
    for (Check check : new Check[] {new TorchCuda(), new TorchArchitecture(), new NcclVersion()}) {
      assertThat(laptop.examine(check).outcome()).isEqualTo(Outcome.SKIP);
      assertThat(new TestNode().examine(check).outcome()).isEqualTo(Outcome.SKIP);
    }
    assertThat(new TestNode().examine(new TensorFlowCuda()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(new TestNode().examine(new AscendTorch()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void garbageInTheVersionFileIsNoVersion() {
    TestNode node =
        SoftwareNode.with("580.95.05", "9.0")
            .file(VENV + "/torch-x.dist-info/METADATA", "")
            .file(VENV + "/torch-2.9.0.dist-info/METADATA", "")
            .file(
                VENV + "/torch/version.py", "\0\0__version__ = 'none'\ncuda = '" + "9".repeat(300));
    assertThat(node.examine(new TorchCuda()).outcome()).isNotEqualTo(Outcome.FAIL);
  }

  @Test
  void anOldNcclOnTheLibraryPathHidesTheFrameworksOwn() {
    TestNode node =
        SoftwareNode.with("580.95.05", "9.0")
            .probe(
                "environment",
                "VIRTUAL_ENV=/scratch/venv\nLD_LIBRARY_PATH=/opt/nccl/lib:/usr/lib64\n")
            .file("/opt/nccl/lib/libnccl.so.2.18.5", "")
            .file(VENV + "/nvidia_nccl_cu12-2.27.5.dist-info/METADATA", "");
    assertThat(only(node.examine(new NcclVersion())).summary()).contains("2.18.5", "2.27.5");
  }

  @Test
  void aSystemNcclBehindTheFrameworksOwnIsHarmless() {
    TestNode node =
        SoftwareNode.with("580.95.05", "9.0")
            .file("/usr/lib/x86_64-linux-gnu/libnccl.so.2.18.5", "")
            .file(VENV + "/nvidia_nccl_cu12-2.27.5.dist-info/METADATA", "");
    assertThat(node.examine(new NcclVersion()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aNcclOlderThanTheGpuIsTold() {
    TestNode node =
        SoftwareNode.with("580.95.05", "10.0")
            .file("/usr/lib/x86_64-linux-gnu/libnccl.so.2.21.5", "");
    assertThat(only(node.examine(new NcclVersion())).summary()).contains("2.25.1");
  }

  @Test
  void torchNpuMustFitItsPyTorchAndItsCann() {
    TestNode wrong =
        new TestNode()
            .file("/usr/local/lib/python3.11/dist-packages/torch_npu-2.7.1.post2.dist-info/M", "")
            .file("/usr/local/lib/python3.11/dist-packages/torch-2.6.0.dist-info/M", "");
    assertThat(only(wrong.examine(new AscendTorch())).remedy()).contains("torch==2.7.1");
    TestNode older =
        new TestNode()
            .file("/usr/local/lib/python3.11/dist-packages/torch_npu-2.7.1.post2.dist-info/M", "")
            .file("/usr/local/lib/python3.11/dist-packages/torch-2.7.1+cpu.dist-info/M", "")
            .file(
                "/usr/local/Ascend/ascend-toolkit/latest/version.cfg",
                "# version\ntoolkit_running_version=[7.7.0.1:8.2.RC1]\n");
    assertThat(only(older.examine(new AscendTorch())).summary()).contains("8.5.0", "8.2.RC1");
  }

  @Test
  void anImageWithTheForwardCompatibilityPackageRunsOnAnOlderDriver() {
    TestNode node =
        SoftwareNode.torch(SoftwareNode.with("470.57.02", "8.0"), VENV, "2.6.0+cu124", "12.4")
            .file("/usr/local/cuda/compat/lib/libcuda.so.550.54.15", "");
    assertThat(node.examine(new TorchCuda()).outcome()).isEqualTo(Outcome.PASS);
  }
}
