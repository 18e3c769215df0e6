package dev.holdfast.os.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole way to a library and back, against libraries that behave and libraries that do not. */
@Timeout(60)
class NvmlIT {
  private static final Duration CALL = Duration.ofSeconds(1);
  private static final Duration TOTAL = Duration.ofSeconds(15);

  @TempDir Path folder;

  @AfterEach
  void forgetLibrary() {
    System.clearProperty(NvmlChild.LIBRARY_PROPERTY);
  }

  @Test
  void readsEveryFactOfAHealthyNode() {
    Map<String, String> facts = facts(read());
    assertThat(facts)
        .containsEntry("library.present", "true")
        .containsEntry("driver.version", "580.159.04")
        .containsEntry("nvml.version", "13.580.159.04")
        .containsEntry("cuda.version", "13.0")
        .containsEntry("gpu.count", "2")
        .containsEntry("gpu.0.name", "NVIDIA H200")
        .containsEntry("gpu.0.uuid", "GPU-00000000-1111-2222-3333-444444444444")
        .containsEntry("gpu.0.serial", "1650000000000")
        .containsEntry("gpu.0.pci.address", "0000:00:06.0")
        .containsEntry("gpu.1.pci.address", "0000:c1:00.0")
        .containsEntry("gpu.0.pci.device", "0x233510de")
        .containsEntry("gpu.0.pci.generation.current", "5")
        .containsEntry("gpu.1.pci.generation.current", "3")
        .containsEntry("gpu.0.pci.generation.maximum", "5")
        .containsEntry("gpu.0.pci.generation.slot", "4")
        .containsEntry("gpu.0.pci.width.current", "16")
        .containsEntry("gpu.0.pci.replays", "7")
        .containsEntry("gpu.0.memory.total.bytes", "1000")
        .containsEntry("gpu.0.memory.reserved.bytes", "100")
        .containsEntry("gpu.0.memory.free.bytes", "600")
        .containsEntry("gpu.0.memory.used.bytes", "300")
        .containsEntry("gpu.0.bar1.total.bytes", "256")
        .containsEntry("gpu.0.compute.capability", "9.0")
        .containsEntry("gpu.0.architecture", "hopper")
        .containsEntry("gpu.0.vbios", "96.00.A5.00.1A")
        .containsEntry("gpu.0.inforom.image", "G520.0282.02.02")
        .containsEntry("gpu.0.inforom.valid", "true")
        .containsEntry("gpu.1.inforom.valid", "false")
        .containsEntry("gpu.0.gsp.firmware", "580.159.04")
        .containsEntry("gpu.1.minor", "1")
        .containsEntry("gpu.1.numa.node", "2")
        .containsEntry("gpu.0.persistence", "enabled")
        .containsEntry("gpu.0.compute.mode", "exclusive-process")
        .containsEntry("gpu.0.mig.mode", "disabled")
        .containsEntry("gpu.0.mig.mode.pending", "enabled")
        .containsEntry("gpu.0.virtualisation", "pass-through")
        .containsEntry("gpu.0.utilisation.percent", "93")
        .containsEntry("gpu.0.processes", "1")
        .containsEntry("gpu.0.process.0.pid", "4711")
        .containsEntry("gpu.0.process.0.memory.bytes", "300")
        .doesNotContainKeys("probe.hung", "probe.crashed", "probe.unfinished", "library.error")
        .containsKey("probe.seconds");
  }

  @Test
  void readsErrorsTemperaturesPowerAndClocks() {
    Map<String, String> facts = facts(read());
    assertThat(facts)
        .containsEntry("gpu.0.ecc.mode.current", "enabled")
        .containsEntry("gpu.0.ecc.mode.pending", "disabled")
        .containsEntry("gpu.0.ecc.volatile.corrected.dram", "2")
        .containsEntry("gpu.0.ecc.volatile.uncorrected.sram", "107")
        .containsEntry("gpu.0.ecc.aggregate.corrected.sram", "17")
        .containsEntry("gpu.0.ecc.aggregate.uncorrected.dram", "112")
        .containsEntry("gpu.0.ecc.sram.threshold.exceeded", "true")
        .containsEntry("gpu.0.ecc.aggregate.uncorrected.sram.parity", "1")
        .containsEntry("gpu.0.ecc.volatile.uncorrected.sram.secded", "4")
        .containsEntry("gpu.0.ecc.sram.source.microcontroller", "8")
        .containsEntry("gpu.0.repair.channel.pending", "false")
        .containsEntry("gpu.0.repair.tpc.pending", "true")
        .containsEntry("gpu.0.remapped.correctable", "1")
        .containsEntry("gpu.0.remapped.uncorrectable", "2")
        .containsEntry("gpu.0.remapped.pending", "true")
        .containsEntry("gpu.0.remapped.failure", "false")
        .containsEntry("gpu.0.remapped.histogram.max", "3070")
        .containsEntry("gpu.0.remapped.histogram.low", "1")
        .containsEntry("gpu.0.retired.pages.single!", "NOT_SUPPORTED")
        .containsEntry("gpu.0.temperature.core.celsius", "35")
        .containsEntry("gpu.0.temperature.memory.celsius", "37")
        .containsEntry("gpu.0.temperature.limit.slowdown.celsius", "89")
        .containsEntry("gpu.0.temperature.margin.celsius", "51")
        .containsEntry("gpu.0.temperature.margin.shutdown.celsius", "-8")
        .containsEntry("gpu.0.temperature.margin.slowdown.celsius", "-2")
        .containsEntry("gpu.0.power.draw.watts", "116.66")
        .containsEntry("gpu.0.power.instant.watts", "78.33")
        .containsEntry("gpu.0.power.limit.watts", "700")
        .containsEntry("gpu.0.power.enforced.watts", "650.005")
        .containsEntry("gpu.0.power.minimum.watts", "200")
        .containsEntry("gpu.0.clock.sm.mhz", "541")
        .containsEntry("gpu.0.clock.memory.maximum.mhz", "1982")
        .containsEntry("gpu.0.clock.graphics.application.mhz", "1900")
        .containsEntry("gpu.0.clock.memory.default.mhz", "1802")
        .containsEntry("gpu.0.throttle.reasons", "0x41")
        .containsEntry("gpu.0.throttle.words", "idle,hardware-thermal")
        .containsEntry("gpu.0.violation.power.nanoseconds", "5000000000")
        .containsEntry("gpu.0.violation.hardware.thermal.nanoseconds", "270")
        .containsEntry("gpu.0.recovery.action", "none")
        .containsEntry("gpu.1.recovery.action", "drain-and-reset");
  }

  @Test
  void readsLinksAndFabric() {
    Map<String, String> facts = facts(read());
    assertThat(facts)
        .containsEntry("gpu.0.nvlink.count.supported", "2")
        .containsEntry("gpu.0.nvlink.0.state", "active")
        .containsEntry("gpu.0.nvlink.0.version", "4.0")
        .containsEntry("gpu.0.nvlink.0.remote.type", "switch")
        .containsEntry("gpu.0.nvlink.0.remote.address", "0008:00:00.0")
        .containsEntry("gpu.0.nvlink.0.speed.megabytes.per.second", "26562")
        .containsEntry("gpu.0.nvlink.0.errors.replay", "10")
        .containsEntry("gpu.0.nvlink.0.errors.crc.flit", "2")
        .containsEntry("gpu.0.nvlink.1.state", "inactive")
        .doesNotContainKey("gpu.0.nvlink.1.version")
        .containsEntry("gpu.1.nvlink!", "NOT_SUPPORTED")
        .containsEntry("gpu.0.fabric.state", "completed")
        .containsEntry("gpu.0.fabric.status", "SUCCESS")
        .containsEntry("gpu.0.fabric.clique", "12")
        .containsEntry("gpu.0.fabric.cluster", "a5".repeat(16))
        .containsEntry("gpu.0.fabric.health.mask", "0x2aa")
        .containsEntry("gpu.0.fabric.health.summary", "healthy")
        .containsEntry("gpu.0.fabric.health.words", "incorrect-configuration")
        .containsEntry("gpu.1.fabric.health.words", "degraded-bandwidth,route-unhealthy")
        .doesNotContainKey("gpu.1.fabric.health.summary");
  }

  @Test
  void aHungCallIsNamedAndTheNextDeviceIsStillAsked() {
    long start = System.nanoTime();
    Map<String, String> facts = facts(read("-DHANG=\"nvmlDeviceGetTemperatureV\""));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
    assertThat(facts)
        .containsEntry("probe.hung", "nvmlDeviceGetTemperatureV:gpu 0")
        .containsEntry("gpu.0.call.failed", "nvmlDeviceGetTemperatureV:HUNG")
        .containsEntry("gpu.0.remapped.pending", "true")
        .doesNotContainKey("gpu.0.temperature.core.celsius")
        .containsEntry("gpu.1.temperature.core.celsius", "35")
        .doesNotContainKey("probe.stuck");
  }

  @Test
  void aHangWhileStartingEndsTheReading() {
    long start = System.nanoTime();
    Map<String, String> facts =
        facts(read(Duration.ofMillis(200), TOTAL, "-DHANG=\"nvmlInitWithFlags\""));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
    assertThat(facts)
        .containsEntry("probe.hung", "nvmlInitWithFlags")
        .containsEntry("library.error", "NVML hung in nvmlInitWithFlags");
  }

  @Test
  void theTotalDeadlineHoldsEvenWhereACallMayTakeLonger() {
    long start = System.nanoTime();
    String text =
        read(Duration.ofSeconds(30), Duration.ofSeconds(2), "-DHANG=\"nvmlDeviceGetUUID\"");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertThat(facts(text))
        .containsEntry("probe.unfinished", "nvmlDeviceGetUUID:gpu 0, gpu 1 and above")
        .containsEntry("gpu.0.name", "NVIDIA H200");
  }

  @Test
  void aCrashIsNamedAndTheNextDeviceIsStillAsked() {
    Map<String, String> facts = facts(read("-DCRASH=\"nvmlDeviceGetPowerUsage\"", "-DTROUBLE=0"));
    assertThat(facts)
        .containsEntry("probe.crashed", "nvmlDeviceGetPowerUsage:gpu 0")
        .containsEntry("gpu.0.call.failed", "nvmlDeviceGetPowerUsage:CRASHED")
        .containsEntry("gpu.0.temperature.core.celsius", "35")
        .containsEntry("gpu.1.power.draw.watts", "116.66");
  }

  @Test
  void aCrashWhileStartingIsToldOnce() {
    assertThat(facts(read("-DCRASH=\"nvmlInitWithFlags\"")))
        .containsEntry("probe.crashed", "nvmlInitWithFlags")
        .containsEntry("library.error", "NVML crashed in nvmlInitWithFlags");
  }

  @Test
  void nonsenseBecomesRefusalsOnPrintableLines() {
    String text = read("-DGARBAGE=1");
    assertThat(text).matches("[\\n -~]*");
    assertThat(facts(text))
        .containsEntry("gpu.0.name", "?=?" + "?".repeat(93))
        .containsEntry("gpu.0.temperature.core.celsius!", "IMPLAUSIBLE 18446744073709551615")
        .containsEntry("gpu.0.memory.total.bytes!", "IMPLAUSIBLE 18446744073709551615")
        .containsEntry("gpu.0.utilisation.percent!", "IMPLAUSIBLE 4294967295")
        .containsEntry("gpu.0.processes!", "IMPLAUSIBLE 4294967295")
        .doesNotContainKeys("probe.crashed", "probe.hung");
  }

  @Test
  void whoIsInAHurryGoesWithoutTheSlowestCallAndHasAllElse() {
    Map<String, String> facts =
        facts(
            read(
                Duration.ofSeconds(30),
                Duration.ofSeconds(3),
                "-DHANG=\"nvmlDeviceValidateInforom\""));
    assertThat(facts)
        .containsEntry("gpu.1.name", "NVIDIA H200")
        .containsEntry("probe.unfinished", "nvmlDeviceValidateInforom")
        .doesNotContainKeys("gpu.0.inforom.valid", "gpu.0.call.failed", "probe.hung");
  }

  @Test
  void fourBillionDevicesAreNotAsked() {
    assertThat(facts(read("-DDEVICES=4000000000u")))
        .containsEntry("gpu.count!", "IMPLAUSIBLE 4000000000")
        .doesNotContainKey("gpu.0.name");
  }

  @Test
  void moreDevicesThanThereAreFailByName() {
    assertThat(facts(read("-DDEVICES=3u")))
        .containsEntry("gpu.1.name", "NVIDIA H200")
        .containsEntry("gpu.2.call.failed", "nvmlDeviceGetHandleByIndex_v2:INVALID_ARGUMENT");
  }

  @Test
  void anOldLibraryAnswersWhatItCan() {
    assertThat(facts(read("-DOLD=1")))
        .containsEntry("gpu.1.name", "NVIDIA H200")
        .containsEntry("driver.version!", "FUNCTION_MISSING")
        .containsEntry("gpu.0.ecc.volatile.uncorrected.dram!", "FUNCTION_MISSING")
        .containsEntry("gpu.0.recovery.action!", "FUNCTION_MISSING");
  }

  @Test
  void anEarlierDriverIsAskedInItsOwnWords() {
    assertThat(facts(read("-DDRIVER=\"575.57.08\"", "-DWITHOUT_NEW_TEMPERATURE")))
        .containsEntry("driver.version", "575.57.08")
        .containsEntry("gpu.0.temperature.core.celsius", "36")
        .containsEntry("gpu.0.violation.hardware.thermal.nanoseconds!", "DRIVER_TOO_OLD");
  }

  @Test
  void aLostDeviceIsToldOnceAndNotAskedFurther() {
    String text = read("-DLOST=1");
    assertThat(facts(text))
        .containsEntry("gpu.1.call.failed", "nvmlDeviceGetHandleByIndex_v2:GPU_IS_LOST")
        .containsEntry("gpu.0.name", "NVIDIA H200");
    assertThat(text.lines().filter(line -> line.startsWith("gpu.1."))).hasSize(1);
  }

  @Test
  void aDeviceLostOnTheWayKeepsWhatItSaidBefore() {
    String text = read("-DLOSE=\"nvmlDeviceGetPowerUsage\"");
    assertThat(facts(text))
        .containsEntry("gpu.0.temperature.core.celsius", "35")
        .containsEntry("gpu.0.call.failed", "nvmlDeviceGetPowerUsage:GPU_IS_LOST")
        .containsEntry("gpu.1.power.draw.watts", "116.66");
    assertThat(text).doesNotContain("gpu.0.power.limit").doesNotContain("gpu.0.clock");
  }

  @Test
  void aDeviceThatNeedsAResetIsToldOnceAndAskedOn() {
    assertThat(facts(read("-DLOST=1", "-DLOST_CODE=16")))
        .containsEntry("gpu.1.call.failed", "nvmlDeviceGetHandleByIndex_v2:RESET_REQUIRED");
    assertThat(facts(read("-DLOSE=\"nvmlDeviceGetPowerUsage\"", "-DLOST_CODE=16")))
        .containsEntry("gpu.0.call.failed", "nvmlDeviceGetPowerUsage:RESET_REQUIRED")
        .containsEntry("gpu.0.clock.sm.mhz!", "RESET_REQUIRED");
  }

  @Test
  void aDriverThatIsNotLoadedIsSaidSo() {
    assertThat(facts(read("-DSTART=9")))
        .containsEntry("library.present", "true")
        .containsEntry("nvml.start!", "DRIVER_NOT_LOADED")
        .containsEntry("library.error", "NVML does not start: DRIVER_NOT_LOADED")
        .doesNotContainKey("gpu.count");
    assertThat(facts(read("-DSTART=18")))
        .containsEntry("nvml.start!", "LIB_RM_VERSION_MISMATCH")
        .containsEntry("nvml.version", "13.580.159.04");
  }

  @Test
  void aMissingLibraryIsSaidSo() {
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, folder.resolve("none.so").toString());
    assertThat(facts(Nvml.read(CALL, TOTAL)))
        .containsEntry("library.present", "false")
        .containsKey("library.error");
  }

  @Test
  void oneChildAnswersAgainAndAgain() {
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, FakeNvml.build(folder).toString());
    try (Nvml nvml = new Nvml()) {
      Map<String, String> first = facts(nvml.facts(CALL, TOTAL));
      Map<String, String> second = facts(nvml.facts(CALL, TOTAL));
      first.keySet().removeIf(key -> key.startsWith("probe."));
      second.keySet().removeIf(key -> key.startsWith("probe."));
      assertThat(second).isEqualTo(first);
    }
  }

  @Test
  void whoLooksOftenAsksForPresenceOnly() {
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, FakeNvml.build(folder).toString());
    try (Nvml nvml = new Nvml()) {
      assertThat(facts(nvml.facts(Nvml.Depth.PRESENCE, CALL, TOTAL)))
          .containsEntry("gpu.count", "2")
          .containsEntry("gpu.0.name", "NVIDIA H200")
          .containsEntry("gpu.1.pci.address", "0000:c1:00.0")
          .containsEntry("gpu.0.temperature.core.celsius", "35")
          .doesNotContainKeys("gpu.0.uuid", "gpu.0.power.draw.watts", "gpu.0.inforom.valid");
      assertThat(facts(nvml.facts(Nvml.Depth.STATE, CALL, TOTAL)))
          .containsKey("gpu.0.power.draw.watts")
          .doesNotContainKey("gpu.0.inforom.valid");
    }
  }

  @Test
  void presenceNoticesADeviceThatHangs() {
    Path library = FakeNvml.build(folder, "-DHANG=\"nvmlDeviceGetTemperatureV\"");
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, library.toString());
    try (Nvml nvml = new Nvml()) {
      assertThat(facts(nvml.facts(Nvml.Depth.PRESENCE, Duration.ofMillis(300), TOTAL)))
          .containsKey("gpu.0.call.failed")
          .containsKey("probe.hung");
    }
  }

  @Test
  void theRehearsalNeedsNoLibrary() {
    assertThatCode(NvmlChild::rehearse).doesNotThrowAnyException();
  }

  private String read(String... definitions) {
    return read(CALL, TOTAL, definitions);
  }

  private String read(Duration call, Duration total, String... definitions) {
    Path library = FakeNvml.build(folder, definitions);
    System.setProperty(NvmlChild.LIBRARY_PROPERTY, library.toString());
    return Nvml.read(call, total);
  }

  private static Map<String, String> facts(String text) {
    Map<String, String> facts = new HashMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      assertThat(facts.put(line.substring(0, equals), line.substring(equals + 1)))
          .as("said twice: " + line)
          .isNull();
    }
    return facts;
  }
}
