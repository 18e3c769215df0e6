package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "NVRM: Xid (0003:00): 8, Channel 00000001|8|0003:00",
        "nvrm:  xid ( pci:0000:3b:00.0 ) : 43, channel 0x2|43|0000:3b:00.0",
        "NVRM: Xid (PCI:...): 145, RLW_RXPIPE Nonfatal XC0 i0 Link 07 (...)|145|''",
        "x=[Sun Aug 2 20:10:45 2026] NVRM: Xid (PCI:0000:2b:00): 140, pid='<unknown>'|140|0000:2b:00.0",
      })
  void readsTheFormsOfOtherDrivers(String line, int code, String device) {
    KernelEvent event = decode(line).getFirst();
    assertThat(event.isXid(code)).isTrue();
    assertThat(event.device()).isEqualTo(device);
  }

  /** As people posted them; addresses, names and numbers are changed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pcieport 0000:00:03.0: AER: Uncorrected (Fatal) error received: id=0018|pcie.aer.fatal|0000:00:03.0",
        "pcieport 0000:00:03.0: AER: Corrected error received: 0000:03:00.0|pcie.aer.corrected|0000:03:00.0",
        "nvidia 0000:64:00.0: AER: can't recover (no error_detected callback)|gpu.aer-unrecovered|0000:64:00.0",
        "amdgpu 0000:c6:00.0: {1}uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) detected!|amdgpu.ras.uncorrected|0000:c6:00.0",
        "amdgpu 0000:c6:00.0: {1}[Hardware Error]: Accelerator Check Architecture events logged|amdgpu.ras.logged|0000:c6:00.0",
        "amdgpu: MES might be in unrecoverable state, issue a GPU reset|amdgpu.hang|''",
        "NVRM: GPU 0000:0a:00.0: rm_init_adapter failed, device minor number 1|gpu.init-failed|0000:0a:00.0",
        "NVRM: The NVIDIA probe routine failed for 2 device(s).|gpu.no-adapter|''",
        "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 16: dc2040000000012b|mce.corrected|''",
        "mce: [Hardware Error]: CPU 3: Machine Check: 0 Bank 4: a600000000021408|mce.uncorrected|''",
        "BUG: soft lockup - CPU#N stuck for 2266s!|cpu.lockup.soft|''",
        "Killed process 1013 (heapstore) total-vm:327128kB, anon-rss:306328kB, file-rss:11132kB|oom.killed|''",
        "Out of Memory: Killed process 1148 (bl).|oom.killed|''",
        "oom_reaper: reaped process 345647 (vec), now anon-rss:0kB, file-rss:0kB|oom.killed|''",
        "Aborting journal on device nvme1n1p3-8.|fs.journal|nvme1n1p3",
        "Lustre: Evicted from MGS (at MGC10.1.6.172@tcp_0) after server handle changed|lustre.evicted|MGS",
        "nvme nvme2: Abort status: 0x7|nvme.timeout|nvme2",
        "mlx5_core 0000:0e:00.0: print_health_info:447:(pid 0): synd 0x1: firmware internal error|nic.health|0000:0e:00.0",
        "mlx5_port_module_event:1131:(pid 0): Port module event[error]: module 1, Cable error, High Temperature|nic.temperature|''",
        "e1000e 0000:00:1f.6 eth1: NIC Link is Down|nic.ethernet-down|0000:00:1f.6",
        "e1000e: enp0s32f6 NIC Link is Down|nic.ethernet-down|enp0s32f6",
        "softhd video[2689]: segfault at 10 ip 00007fe39b441c78 sp 00007fe34cae0db1 error 4 in libGLX.so.0|process.crash|''",
      })
  void knowsThePostedFormsOfOtherLines(String line, String rule, String device) {
    KernelEvent event = decode(line).getFirst();
    assertThat(event.rule()).isEqualTo(rule);
    assertThat(event.device()).isEqualTo(device);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing",
        "pci 0000:03:00.0: 4.000 Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x1 link at 0000:00:0c.0",
        "mlx5_core 0000:0e:00.0: print_health_info:447:(pid 0): synd 0x0: unrecognized error",
        "NVRM: GPU Board Serial Number: 1650423013440",
      })
  void harmlessLinesAreNoWarning(String line) {
    assertThat(decode(line)).noneMatch(event -> event.severity().atLeast(Severity.WARNING));
  }

  @ParameterizedTest
  @CsvSource({
    "NETIR Fatal XC0 i0 Link -1 (0x000fe406, RESET_GPU",
    "NVLPW_CTRL Fatal XC0 i0 Link 05, RESET_GPU",
    "NETIR_LINK_EVT Nonfatal XC 1 i 2 Link 01 [0x0000000a], FOLLOW",
  })
  void anNvlink5LineWithoutItsWordsStillSaysItsUnitAndWhetherItIsFatal(String rest, NextStep step) {
    KernelEvent event = decode("NVRM: Xid (PCI:0000:04:00): 149, " + rest).getFirst();
    assertThat(event.step()).isEqualTo(step);
    assertThat(event.meaning()).contains("cut off");
    assertThat(event.detail()).contains("link ");
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
