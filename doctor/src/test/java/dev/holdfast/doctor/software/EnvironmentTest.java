package dev.holdfast.doctor.software;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  private static final String CONDA = "/opt/conda/lib/python3.11/site-packages";

  @Test
  void stubsOnTheLibraryPathAreTold() {
    TestNode node =
        new TestNode()
            .probe("environment", "LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs/:/usr/lib64\n")
            .file("/usr/local/cuda/lib64/stubs/libcuda.so", "");
    CheckResult result = node.examine(new LibrariesPath());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.WARNING);
    node.file("/usr/local/cuda/lib64/stubs/libcuda.so.1", "");
    assertThat(node.examine(new LibrariesPath()).outcome()).isEqualTo(Outcome.FAIL);
  }

  @Test
  void foldersAnImageNamesForLaterAreNoFault() {
    CheckResult result =
        new TestNode()
            .probe(
                "environment",
                "LD_LIBRARY_PATH=/usr/local/cuda/compat/lib:/usr/local/nvidia/lib:/usr/local/nvidia/lib64::\n")
            .examine(new LibrariesPath());
    assertThat(result.findings()).isEmpty();
    assertThat(result.outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void noLibraryPathAtAllIsSkipped() {
    assertThat(new TestNode().examine(new LibrariesPath()).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(new TestNode().examine(new PythonMixture()).outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void packagesOfAnotherPythonOnThePathAreTold() {
    CheckResult result =
        new TestNode()
            .probe(
                "environment",
                "CONDA_PREFIX=/opt/conda\nPYTHONPATH=/usr/local/lib/python3.9/site-packages\n")
            .file(CONDA + "/numpy-2.0.0.dist-info/M", "")
            .file("/usr/local/lib/python3.9/site-packages/numpy-1.20.0.dist-info/M", "")
            .examine(new PythonMixture());
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().getFirst().summary()).contains("3.9", "3.11");
  }

  @Test
  void aFrameworkInTheHomeFolderHidesTheEnvironmentsOwn() {
    TestNode node =
        new TestNode()
            .probe("environment", "CONDA_PREFIX=/opt/conda\nHOME=/home/ada\n")
            .file(CONDA + "/torch-2.9.0.dist-info/M", "")
            .file("/home/ada/.local/lib/python3.11/site-packages/torch-2.1.0.dist-info/M", "");
    assertThat(node.examine(new PythonMixture()).findings()).hasSize(1);
    node.probe("environment", "CONDA_PREFIX=/opt/conda\nHOME=/home/ada\nPYTHONNOUSERSITE=1\n");
    assertThat(node.examine(new PythonMixture()).outcome()).isEqualTo(Outcome.PASS);
  }

  @Test
  void aVirtualEnvironmentBehindCondaOnThePathIsTold() {
    String variables = "VIRTUAL_ENV=/v\nCONDA_PREFIX=/opt/conda\nPATH=%s:/usr/bin\n";
    TestNode node =
        new TestNode().probe("environment", variables.formatted("/opt/conda/bin:/v/bin"));
    assertThat(node.examine(new PythonMixture()).findings()).hasSize(1);
    node.probe("environment", variables.formatted("/v/bin:/opt/conda/bin"));
    assertThat(node.examine(new PythonMixture()).findings()).isEmpty();
  }
}
