package dev.holdfast.doctor.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.pcie.PcieLog;
import dev.holdfast.doctor.testing.TestNode;
import org.junit.jupiter.api.Test;

class NicDriverLogTest {
  @Test
  void anAdapterWhoseHeartbeatStoppedIsFatal() {
    CheckResult result =
        log("mlx5_core 0000:1a:00.0: poll_health:852:(pid 0): device's health compromised - reached miss count")
            .examine(new NicDriverLog());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.FATAL);
    assertThat(result.findings().getFirst().subject()).hasToString("node/n1/pci/0000:1a:00.0");
  }

  @Test
  void anUncorrectedErrorOfTheBusIsTold() {
    CheckResult result =
        log("pcieport 0000:15:01.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Transaction Layer")
            .examine(new PcieLog());
    assertThat(result.findings().getFirst().severity()).isEqualTo(Severity.FATAL);
  }

  @Test
  void anOrdinaryLogPassesAndOneThatMayNotBeReadIsSkipped() {
    TestNode quiet = log("mlx5_core 0000:1a:00.0: firmware version: 28.39.1002");
    assertThat(quiet.examine(new NicDriverLog()).outcome()).isEqualTo(Outcome.PASS);
    assertThat(quiet.examine(new PcieLog()).outcome()).isEqualTo(Outcome.PASS);
    TestNode closed = new TestNode().denied("probe/kernel-log", "the kernel log may not be read");
    assertThat(closed.examine(new NicDriverLog()).outcome()).isEqualTo(Outcome.SKIP);
  }

  private static TestNode log(String line) {
    return new TestNode()
        .file("/proc/stat", "btime 1767261600\n")
        .probe("kernel-log", "<3>[ 2000.000000] " + line + "\n");
  }
}
