package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelLogTest {
  private static final Instant BOOT = Instant.parse("2026-08-01T00:00:00Z");

  private static List<KernelEvent> decode(String text) {
    return KernelLog.decode(text, Optional.of(BOOT), Optional.empty());
  }

  private static List<KernelEvent> decode(String text, String driver) {
    return KernelLog.decode(text, Optional.empty(), Optional.of(driver));
  }

  @Test
  void givesDeviceCodeAndWallTimeOfAnXid() {
    KernelEvent event =
        decode(
                "<3>[  100.500000] NVRM: Xid (PCI:0000:3B:00): 79, pid=1234, name=python,"
                    + " GPU has fallen off the bus.\n")
            .getFirst();
    assertThat(event.isXid(79)).isTrue();
    assertThat(event.device()).isEqualTo("0000:3b:00.0");
    assertThat(event.severity()).isEqualTo(Severity.FATAL);
    assertThat(event.first()).contains(BOOT.plusMillis(100_500));
    assertThat(event.line()).startsWith("NVRM: Xid");
  }

  /**
   * Recorded on an H200, driver 580.159.04, after kernels that stored, trapped and loaded badly.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4,360,80331131,c;|4,361,82861616,c;",
        "<4>[   80.331131] |<4>[   82.861616] ",
        "kern  :warn  : [   80.331131] |kern  :warn  : [   82.861616] ",
        "2026-11-15T03:40:33,523725+00:00 |2026-11-15T03:40:36,054210+00:00 ",
      },
      ignoreLeadingAndTrailingWhitespace = false)
  void recordedFaultsOfAProgram(String first, String second) {
    List<KernelEvent> events =
        decode(
            first
                + "NVRM: Xid (PCI:0000:00:06): 31, pid=507, name=python3, channel 0x0000000a,"
                + " intr 00000000. MMU Fault: ENGINE GRAPHICS GPC1 GPCCLIENT_T1_4 faulted @"
                + " 0x7f00_00000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE\n"
                + second
                + "NVRM: Xid (PCI:0000:00:06): 43, pid=515, name=python3, channel 0x0000000a\n");
    assertThat(events).extracting(KernelEvent::device).containsOnly("0000:00:06.0");
    assertThat(events.getFirst().isXid(31)).isTrue();
    assertThat(events.getFirst().severity()).isEqualTo(Severity.WARNING);
    assertThat(events.getFirst().first()).isPresent();
    assertThat(events.getFirst().detail()).isEqualTo("pid 507 (python3)");
    assertThat(events.getLast().isXid(43)).isTrue();
    assertThat(events.getLast().role())
        .as("another process than the one that faulted")
        .isEqualTo(KernelEvent.Role.CAUSE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NVRM: Xid (0000:03:00): 31, Ch 00000010, engmask 00000111|31|0000:03:00.0",
        "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained: CE (0x9)|94|0000:01:00.0",
        "NVRM: Xid (PCI:0008:01:00): 74, pid='<unknown>', name=<unknown>, NVLink|74|0008:01:00.0",
        "NVRM: Xid (PCI:00000000:3B:00.0): 48, x|48|0000:3b:00.0",
      })
  void readsTheFormsOfOtherDrivers(String line, int code, String device) {
    KernelEvent event = decode(line).getFirst();
    assertThat(event.isXid(code)).isTrue();
    assertThat(event.device()).isEqualTo(device);
  }

  @Test
  void repetitionsWithinThreeMinutesAreOneEvent() {
    StringBuilder text = new StringBuilder();
    for (int seconds : new int[] {10, 100, 200, 379, 561}) {
      text.append("[  ").append(seconds).append(".000000] NVRM: Xid (PCI:0000:3b:00): 31, x\n");
    }
    text.append("[  562.000000] NVRM: Xid (PCI:0000:3c:00): 31, x\n");
    List<KernelEvent> events = decode(text.toString());
    assertThat(events).extracting(KernelEvent::count).containsExactly(4, 1, 1);
    assertThat(events.getFirst().first()).contains(BOOT.plusSeconds(10));
    assertThat(events.getFirst().last()).contains(BOOT.plusSeconds(379));
  }

  @Test
  void lettersOfTheAllClearAreNoError() {
    assertThat(
            decode(
                """
                amdgpu 0000:c3:00.0: amdgpu: no uncorrectable hardware errors detected in umc block
                amdgpu 0000:c3:00.0: amdgpu: 0 uncorrectable hardware errors detected in umc block
                nfs: server fs1 OK
                EDAC MC0: Giving out device to module skx_edac
                pcieport 0000:00:1c.0: AER: enabled with IRQ 122
                mlx5_core 0000:5c:00.0 ens1f0np0: Link up
                traps: python3[77] general protection fault ip:7f01 sp:7ffd error:0 in libc.so.6
                EXT4-fs (md0): mounted filesystem with ordered data mode
                """))
        .isEmpty();
  }

  @Test
  void nvlink5WordsAreReadAsTheDriverWroteThem() {
    // The word 0x21 names the unit SAW_MVB only in the old form, 0x1 only in the new one.
    String old = "NVRM: Xid (PCI:0000:04:00): 144, SAW_MVB Fatal XC0 i0 Link 00 (0x21 0x2 0x0)";
    assertThat(decode(old, "570.86.15").getFirst().step()).isEqualTo(NextStep.RESET_GPU);
    assertThat(decode(old, "570.86.15").getFirst().meaning()).doesNotContain("not in the");
    assertThat(decode(old, "575.57.08").getFirst().meaning()).contains("not in the");
    String recent =
        "NVRM: Xid (PCI:0000:04:00): 144, SAW_MVB Nonfatal XC0 i0 Link 00 (0x1 0x4 0x0)";
    assertThat(decode(recent, "575.57.08").getFirst().severity()).isEqualTo(Severity.INFO);
    assertThat(decode(recent, "570.86.15").getFirst().severity()).isEqualTo(Severity.DEGRADED);
    assertThat(decode(recent).getFirst().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void nvlink5StatusWithSeveralFlagsTakesTheGravest() {
    String line = "NVRM: Xid (PCI:0000:04:00): 144, SAW_MVB Fatal XC0 i0 Link 00 (0x1 0x6 0x0)";
    assertThat(decode(line, "580.65.06").getFirst().step()).isEqualTo(NextStep.RESET_GPU);
  }

  @Test
  void linkDownOnPurposeOfThePeerIsTakenMilder() {
    String line =
        "NVRM: Xid (PCI:0000:04:00): 149, NETIR_LINK_DOWN Fatal XC0 i0 Link 03 (0x02600011 0x0)";
    KernelEvent event = decode(line, "580.65.06").getFirst();
    assertThat(event.meaning()).contains("reason 38");
    assertThat(event.severity()).isEqualTo(Severity.DEGRADED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0|DEGRADED|RESET_GPU",
        "0x400000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0|FATAL|CHECK_HARDWARE",
        "0x1, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0|WARNING|NONE",
        "0x0, 0x0, 0x0, 0x0, 0x100000, 0x0, 0x0|WARNING|NONE",
        "0x2, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0|DEGRADED|FOLLOW",
        "0x0, 0x0, 0x0, 0x40000, 0x0, 0x0, 0x0|FATAL|RESET_GPU",
        "0x0, 0x0, 0x8, 0x0, 0x0, 0x0, 0x0|FATAL|RESET_GPU",
      })
  void xid74IsJudgedByItsBits(String words, Severity severity, NextStep step) {
    KernelEvent event =
        decode(
                "NVRM: Xid (PCI:0000:b9:00): 74, pid='<unknown>', name=<unknown>,"
                    + " NVLink: fatal error detected on link 14("
                    + words
                    + ")\n")
            .getFirst();
    assertThat(event.severity()).isEqualTo(severity);
    assertThat(event.step()).isEqualTo(step);
    assertThat(event.detail()).isEqualTo("link 14");
  }

  @Test
  void parityErrorsAgainOnOneLinkAreHardware() {
    String line =
        "[   10.000000] NVRM: Xid (PCI:0000:b9:00): 74, NVLink: fatal error detected on link"
            + " 14(0x10, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)\n";
    assertThat(decode(line.repeat(2)).getFirst().step()).isEqualTo(NextStep.RESET_GPU);
    assertThat(decode(line.repeat(3)).getFirst().step()).isEqualTo(NextStep.CONTACT_VENDOR);
  }
}
