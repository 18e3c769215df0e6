package dev.holdfast.core.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompatibilityTest {
  private static Version v(String text) {
    return Version.of(text);
  }

  @ParameterizedTest
  @CsvSource({
    "12.4.1, 525.60.13, 550.54.14",
    "13.0, 580, 580.65.06",
    "11.8, 450.80.02, 520.61.05",
    "10.2, 440.33, 440.33"
  })
  void aToolkitHasAFloorAndADriverOfItsOwn(String cuda, String floor, String driver) {
    CudaRelease release = CudaRelease.of(v(cuda)).orElseThrow();
    assertThat(release.floor()).isEqualTo(v(floor));
    assertThat(release.driver()).isEqualTo(v(driver));
    assertThat(release.driver().atLeast(release.floor())).isTrue();
  }

  @Test
  void aReleaseNewerThanTheTableStillHasTheFloorOfItsMajor() {
    assertThat(CudaRelease.of(v("13.9"))).isEmpty();
    assertThat(CudaRelease.leastDriver(v("13.9"))).contains(v("580"));
    assertThat(CudaRelease.leastDriver(v("14.0"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"470.57.02, 11.8", "535.104.05, 12.9", "580.95.05, 13.4", "450.80.02, 11.8"})
  void theNewestCudaForADriverFollowsTheFloors(String driver, String cuda) {
    assertThat(CudaRelease.newestFor(v(driver)).orElseThrow().cuda()).isEqualTo(v(cuda));
  }

  @Test
  void voltaEndsWithCuda12() {
    GpuArchitecture volta = GpuArchitecture.of(v("7.0")).orElseThrow();
    assertThat(volta.isDroppedBy(v("12.9.1"))).isFalse();
    assertThat(volta.isDroppedBy(v("13.0"))).isTrue();
    assertThat(GpuArchitecture.of(v("9.0")).orElseThrow().isDroppedBy(v("13.4"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "2.12.0, 13.0, 7.0, false", // V100 needs the cu126 wheel
    "2.12.0, 12.6, 7.0, true",
    "2.12.0, 12.6, 10.0, false", // B200 needs 12.8 or newer
    "2.7.0, 12.8, 10.0, true",
    "2.6.0, 12.6, 10.0, false",
    "2.9.1, 12.8, 7.0, true",
    "2.7.0, 12.8, 7.0, false",
    "2.9.0, 12.8, 8.9, true", // Ada runs Ampere's code
    "2.12.0, 13.0, 12.1, true",
    "2.12.0, 13.0, 13.0, true" // by PTX
  })
  void aWheelRunsOnAGpuOrNot(String torch, String cuda, String capability, boolean runs) {
    PyTorchWheel wheel = PyTorchWheel.find(v(torch), v(cuda), "x86_64").orElseThrow();
    assertThat(wheel.runsOn(v(capability))).isEqualTo(runs);
  }

  @Test
  void onlyOneWheelOfANewReleaseRunsOnV100() {
    List<Version> cuda =
        PyTorchWheel.forGpu(v("2.12.1"), v("7.0"), "x86_64").stream()
            .map(PyTorchWheel::cuda)
            .toList();
    assertThat(cuda).containsExactly(v("12.6"));
    assertThat(PyTorchWheel.forGpu(v("99.0"), v("7.0"), "x86_64")).isEmpty();
  }

  @Test
  void frameworksKnowTheirPython() {
    assertThat(PyTorchRelease.of(v("2.9.0+cu128")).orElseThrow().supportsPython(v("3.9")))
        .isFalse();
    assertThat(PyTorchRelease.of(v("2.9.0")).orElseThrow().supportsPython(v("3.13.1"))).isTrue();
    assertThat(PyTorchRelease.of(v("2.1")).orElseThrow().torch()).isEqualTo(v("2.1"));
    assertThat(TensorFlowRelease.of(v("2.16.1")).orElseThrow().cuda()).isEqualTo(v("12.3"));
  }

  @Test
  void torchNpuBelongsToOneTorchAndOneCann() {
    TorchNpuRelease release = TorchNpuRelease.of(v("2.7.1.post2")).orElseThrow();
    assertThat(release.torch()).isEqualTo(v("2.7.1"));
    assertThat(release.cann()).isEqualTo(v("8.5.0"));
    assertThat(TorchNpuRelease.of(v("2.7.1.post3"))).isEmpty();
    assertThat(TorchNpuRelease.forTorch(v("2.7.1"))).hasSize(4);
  }

  @Test
  void distributionsAndNcclAreFound() {
    assertThat(LinuxRelease.of("rocky", v("9.4")).orElseThrow().glibc()).isEqualTo(v("2.34"));
    assertThat(NcclSupport.of(v("10.3")).orElseThrow().nccl()).isEqualTo(v("2.25.1"));
    assertThat(NcclSupport.of(v("8.0"))).isEmpty();
  }

  @Test
  void everyRowHasASource() {
    assertThat(
            Stream.of(
                    GpuArchitecture.all().stream().map(GpuArchitecture::source),
                    CudaRelease.all().stream().map(CudaRelease::source),
                    PyTorchRelease.all().stream().map(PyTorchRelease::source),
                    PyTorchWheel.all().stream().map(PyTorchWheel::source),
                    TensorFlowRelease.all().stream().map(TensorFlowRelease::source),
                    TorchNpuRelease.all().stream().map(TorchNpuRelease::source),
                    NcclSupport.all().stream().map(NcclSupport::source),
                    LinuxRelease.all().stream().map(LinuxRelease::source))
                .flatMap(sources -> sources))
        .hasSizeGreaterThan(120)
        .allMatch(source -> !source.isBlank());
  }

  @Test
  void everyPublishedWheelOfTheNewestReleasesIsInTheTable() {
    for (PyTorchRelease release : PyTorchRelease.all()) {
      if (release.torch().atLeast(v("2.6"))) {
        for (Version cuda : release.cuda()) {
          assertThat(PyTorchWheel.find(release.torch(), cuda, "x86_64"))
              .as("PyTorch " + release.torch() + " CUDA " + cuda)
              .isPresent();
        }
      }
    }
  }
}
