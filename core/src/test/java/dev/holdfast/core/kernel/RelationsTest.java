package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelationsTest {
  private final StringBuilder log = new StringBuilder();

  private RelationsTest at(int seconds, String text) {
    log.append(String.format(Locale.ROOT, "[%5d.000000] %s%n", seconds, text));
    return this;
  }

  private RelationsTest xid(int seconds, String address, int code, String rest) {
    return at(seconds, "NVRM: Xid (PCI:0000:" + address + ":00): " + code + ", " + rest);
  }

  private List<KernelEvent> decode() {
    return KernelLog.decode(log.toString(), Optional.empty(), Optional.empty());
  }

  private KernelEvent event(int code) {
    return decode().stream().filter(event -> event.isXid(code)).findFirst().orElseThrow();
  }

  @Test
  void cleanupFollowsTheFaultOfTheSameGpu() {
    xid(10, "3b", 48, "DBE").xid(11, "3b", 45, "pid=1, Ch 8").xid(12, "3c", 45, "pid=2, Ch 8");
    List<KernelEvent> events = decode();
    assertThat(events.get(1).role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
    assertThat(events.get(1).remedy()).contains("Xid 48 of 0000:3b:00.0");
    assertThat(events.get(2).role()).isEqualTo(KernelEvent.Role.CAUSE);
    assertThat(events.get(2).severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void cleanupFollowsAFaultOfItsOwnProcessOnly() {
    xid(10, "3b", 31, "pid=7, name=a, MMU Fault").xid(11, "3b", 43, "pid=8, name=b, Ch 8");
    assertThat(event(43).role()).isEqualTo(KernelEvent.Role.CAUSE);
    xid(12, "3b", 43, "pid=7, name=a, Ch 8");
    assertThat(event(43).role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
  }

  @Test
  void cleanupMayFollowAFatalSwitchError() {
    at(10, "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 12028, Non-fatal, Link 30 egress");
    xid(12, "3b", 45, "pid=2, Ch 8");
    assertThat(event(45).remedy()).contains("SXid 12028");
  }

  @Test
  void theReaperOnlySaysMoreOfAKill() {
    at(10, "Out of memory: Killed process 48 (python3) total-vm:1kB, anon-rss:1kB");
    at(11, "oom_reaper: reaped process 48 (python3), now anon-rss:0kB");
    assertThat(decode())
        .extracting(KernelEvent::role)
        .containsExactly(KernelEvent.Role.CAUSE, KernelEvent.Role.CONSEQUENCE);
  }

  @Test
  void cleanupHoursLaterStandsAlone() {
    xid(10, "3b", 48, "DBE").xid(7200, "3b", 45, "pid=1, Ch 8");
    assertThat(event(45).role()).isEqualTo(KernelEvent.Role.CAUSE);
  }

  @Test
  void memoryErrorAloneWantsAResetAndWithARemapADrain() {
    xid(10, "3b", 48, "DBE");
    assertThat(event(48).step()).isEqualTo(NextStep.RESET_GPU);
    xid(11, "3b", 63, "Row Remapper: New row marked for remapping, reset gpu to activate.");
    assertThat(event(48).step()).isEqualTo(NextStep.RESET_AT_DRAIN);
    assertThat(event(63).role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
    xid(12, "3b", 64, "Row Remapper Error: All reserved rows for bank are remapped");
    assertThat(event(48).step()).isEqualTo(NextStep.CONTACT_VENDOR);
    assertThat(event(64).severity()).isEqualTo(Severity.FATAL);
  }

  @Test
  void detailCodesAttachToTheMemoryError() {
    xid(10, "3b", 48, "DBE").xid(10, "3b", 172, "SRAM");
    assertThat(event(48).meaning()).contains("SRAM");
    assertThat(event(172).role()).isEqualTo(KernelEvent.Role.DETAIL);
    assertThat(event(172).severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void containedErrorKeepsTheNodeUntilTheThirdInADay() {
    xid(10, "3b", 94, "Contained").xid(1000, "3b", 94, "Contained");
    assertThat(event(94).severity()).isEqualTo(Severity.WARNING);
    assertThat(event(94).step()).isEqualTo(NextStep.RESTART_JOB);
    xid(2000, "3b", 94, "Contained");
    assertThat(event(94).step()).isEqualTo(NextStep.CONTACT_VENDOR);
  }

  @Test
  void uncontainedErrorCoversTheContainedOne() {
    xid(10, "3b", 94, "Contained").xid(11, "3b", 95, "Uncontained");
    assertThat(event(94).role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
    assertThat(event(95).severity()).isEqualTo(Severity.FATAL);
  }

  @Test
  void exceptionOnManyGpusBlamesTheProgram() {
    for (int address = 10; address < 18; address++) {
      xid(10, "" + address, 13, "Graphics SM Warp Exception on (GPC 0, TPC 1, SM 0): Illegal");
    }
    assertThat(decode())
        .allMatch(event -> event.faultClass() == FaultClass.USER)
        .allMatch(event -> event.meaning().contains("8 GPUs"));
  }

  @Test
  void exceptionAgainAtOnePlaceMakesTheGpuSuspect() {
    xid(10, "3b", 13, "Graphics SM Warp Exception on (GPC 2, TPC 5, SM 0): Illegal");
    xid(10, "3b", 13, "Graphics SM Warp Exception on (GPC 2, TPC 5, SM 1): Illegal");
    assertThat(event(13).faultClass()).isEqualTo(FaultClass.USER);
    xid(5000, "3b", 13, "Graphics SM Warp Exception on (GPC 2, TPC 5, SM 0): Illegal");
    assertThat(event(13).faultClass()).isEqualTo(FaultClass.UNKNOWN);
    assertThat(event(13).meaning()).contains("GPC 2 TPC 5");
    assertThat(event(13).severity()).isEqualTo(Severity.WARNING);
    xid(9000, "3b", 13, "Graphics SM Warp Exception on (GPC 3, TPC 5, SM 0): Illegal");
    assertThat(event(13).faultClass()).isEqualTo(FaultClass.USER);
  }

  @Test
  void pageFaultsOfOneGpuInSeveralRunsMakeItSuspect() {
    xid(10, "3b", 31, "pid=1, MMU Fault").xid(5000, "3b", 31, "pid=2, MMU Fault");
    assertThat(event(31).faultClass()).isEqualTo(FaultClass.UNKNOWN);
    xid(6000, "3c", 31, "pid=3, MMU Fault");
    assertThat(event(31).faultClass()).isEqualTo(FaultClass.USER);
  }

  @Test
  void driverVerdictReplacesTheActionOfTheSameGpuOnly() {
    xid(10, "3b", 79, "GPU has fallen off the bus.").xid(10, "3c", 119, "Timeout");
    xid(11, "3b", 154, "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)");
    assertThat(event(79).step()).isEqualTo(NextStep.RESET_GPU);
    assertThat(event(79).remedy()).startsWith("The driver asks for \"GPU Reset Required\"");
    assertThat(event(119).remedy()).doesNotContain("154");
    assertThat(event(154).severity()).isEqualTo(Severity.FATAL);
  }

  @Test
  void newerWordsOfTheVerdictAreReadByTheirNumber() {
    xid(11, "3b", 154, "GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)");
    assertThat(event(154).step()).isEqualTo(NextStep.REBOOT_NODE);
    xid(12, "3c", 154, "GPU recovery action changed from 0x0 (None) to 0x4 (Words of tomorrow)");
    assertThat(decode().getLast().step()).isEqualTo(NextStep.RESET_AT_DRAIN);
  }

  @Test
  void aGpuTheDriverCallsFineAgainIsHistory() {
    xid(10, "3b", 119, "Timeout after 45s of waiting for RPC response");
    xid(11, "3b", 154, "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)");
    xid(900, "3b", 154, "GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)");
    assertThat(event(119).severity()).isEqualTo(Severity.WARNING);
    assertThat(event(119).step()).isEqualTo(NextStep.NONE);
    assertThat(decode().get(1).role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
    assertThat(decode().get(2).severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void aFaultThatReturnsWithinADayIsHardware() {
    xid(10, "3b", 79, "GPU has fallen off the bus.");
    assertThat(event(79).step()).isEqualTo(NextStep.REBOOT_NODE);
    xid(40_000, "3b", 79, "GPU has fallen off the bus.");
    assertThat(event(79).step()).isEqualTo(NextStep.CONTACT_VENDOR);
  }

  @Test
  void fallenOffTheBusMessagesFollowTheirXid() {
    xid(10, "3b", 79, "GPU has fallen off the bus.");
    at(10, "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.");
    assertThat(decode().getLast().role()).isEqualTo(KernelEvent.Role.CONSEQUENCE);
  }

  @Test
  void theOldMessageOverThreeLinesKeepsItsGpu() {
    at(1, "NVRM: The NVIDIA GPU 0000:05:00.0");
    at(1, "NVRM: (PCI ID: 10de:2330) installed in this system has");
    at(1, "NVRM: fallen off the bus and is not responding to commands.");
    assertThat(decode()).hasSize(1);
    assertThat(decode().getFirst().rule()).isEqualTo("gpu.fell-off-bus");
    assertThat(decode().getFirst().device()).isEqualTo("0000:05:00.0");
  }
}
