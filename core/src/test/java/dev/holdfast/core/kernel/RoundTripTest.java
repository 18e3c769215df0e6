package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of every table is recognised in a line of the form the drivers print. */
class RoundTripTest {
  static Stream<XidEntry> xids() {
    return XidCatalogue.entries().stream();
  }

  static Stream<SxidEntry> sxids() {
    return SxidCatalogue.entries().stream();
  }

  static Stream<KernelRule> rules() {
    return KernelRule.entries().stream();
  }

  static Stream<Nvlink5Entry> nvlink5() {
    return Nvlink5Catalogue.entries().stream();
  }

  private static KernelEvent only(String text, Optional<String> driver) {
    List<KernelEvent> events = KernelLog.decode(text, Optional.empty(), driver);
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  @ParameterizedTest
  @MethodSource("xids")
  void xid(XidEntry entry) {
    KernelEvent event =
        only(
            "<3>[ 1234.567890] NVRM: Xid (PCI:0000:3b:00): "
                + entry.code()
                + ", pid=4711, name=python3, something happened\n",
            Optional.empty());
    assertThat(event.isXid(entry.code())).isTrue();
    assertThat(event.device()).isEqualTo("0000:3b:00.0");
    assertThat(event.severity()).isEqualTo(entry.severity());
    assertThat(event.faultClass()).isEqualTo(entry.faultClass());
    assertThat(event.step()).isEqualTo(entry.now());
    assertThat(event.meaning()).isEqualTo(entry.meaning());
    assertThat(event.detail()).isEqualTo("pid 4711 (python3)");
  }

  @ParameterizedTest
  @MethodSource("sxids")
  void sxid(SxidEntry entry) {
    KernelEvent event =
        only(
            "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): " + entry.code() + ", Fatal, Link 30 text",
            Optional.empty());
    assertThat(event.rule()).isEqualTo("sxid");
    assertThat(event.code()).hasValue(entry.code());
    assertThat(event.device()).isEqualTo("0000:c1:00.0");
    assertThat(event.severity()).isEqualTo(entry.severity());
    assertThat(event.detail()).isEqualTo("link 30");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void kernelLine(KernelRule rule) {
    KernelEvent event = only("6,77,1234567890,-;" + rule.example(), Optional.empty());
    assertThat(event.rule()).isEqualTo(rule.id());
    assertThat(event.severity()).isEqualTo(rule.severity());
    if (rule.example().contains("0000:")) {
      assertThat(event.device()).matches("0000:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");
    }
  }

  @ParameterizedTest
  @MethodSource("nvlink5")
  void nvlink5LineOfBothDriverGenerations(Nvlink5Entry entry) {
    check(entry, entry.unitBefore575(), entry.maskBefore575().value(), "570.86.15");
    check(entry, entry.unitFrom575(), entry.maskFrom575().value(), "575.57.08");
  }

  private static void check(Nvlink5Entry entry, String unit, int interrupt, String driver) {
    String line =
        String.format(
            "NVRM: Xid (PCI:0000:04:00): %d, %s Nonfatal XC0 i0 Link 07 (0x%08x 0x%08x 0x0 0x0)",
            entry.xid(), unit, interrupt, entry.statuses().getFirst());
    KernelEvent event = only(line, Optional.of(driver));
    assertThat(event.step()).isEqualTo(entry.now());
    assertThat(event.severity()).isEqualTo(entry.severity());
    assertThat(event.detail()).contains("link 7");
  }

  @Test
  void aCodeNobodyDocumentsIsReportedNotDropped() {
    KernelEvent event = only("NVRM: Xid (PCI:0000:3b:00): 9999, odd", Optional.empty());
    assertThat(event.step()).isEqualTo(NextStep.UNKNOWN);
    KernelEvent fatal =
        only("nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 31337, Fatal, x", Optional.empty());
    assertThat(fatal.step()).isEqualTo(NextStep.RESET_GPU);
  }
}
