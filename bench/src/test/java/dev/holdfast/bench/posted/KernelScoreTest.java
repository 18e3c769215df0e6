package dev.holdfast.bench.posted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.bench.posted.PostedScore.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelScoreTest {
  private static final String HEAD = "address\tline\tcode\tdevice\taction\tseverity\tnote\n";

  private static KernelScore score(
      String line, String code, String device, String action, String note) {
    String row = String.join("\t", "a/b#1", line, code, device, action, "", note);
    return KernelScore.of(KernelCase.read("test", HEAD + row + "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      nullValues = "-",
      value = {
        "NVRM: Xid (PCI:0000:3b:00): 79, GPU fell; xid 79; 0000:3b:00; RESTART_BM; right",
        "NVRM: Xid (PCI:0000:3b:00): 79, GPU fell; xid 79; 0000:3c:00; RESTART_BM; wrong",
        "NVRM: Xid (PCI:0000:3b:00): 79, GPU fell; xid 79; 0000:3b:00; IGNORE; wrong",
        "NVRM: Xid (PCI:0000:3b:00): 79, GPU fell; xid 48; 0000:3b:00; WORKFLOW_XID_48; wrong",
        "NVRM: Xid (PCI:0000:3b:00): 166, x; xid 166; 0000:3b:00; RESET_GPU; cannot tell",
        "NVRM: Xid 79; xid 79; ''; RESTART_BM; cannot tell",
        "NVRM: Xid (PCI:0000:3b:00): 154, action changed from 0x0 (None) to 0x1 (GPU Reset Required); xid 154; 0000:3b:00; XID_154; right",
        "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.; fell-off-bus; 0000:3b:00.0; ''; right",
        "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.; oom-kill; 0000:3b:00.0; ''; wrong",
        "usb 1-1: new device; harmless; ''; ''; right",
        "Kernel panic - not syncing: x; harmless; ''; ''; wrong",
      })
  void codeDeviceAndFirstActionMustFit(
      String line, String code, String device, String action, String outcome) {
    Row all = score(line, code, device, action, "posted").rows().getLast();
    assertThat(List.of(all.right(), all.cannotTell(), all.wrong()))
        .isEqualTo(
            switch (outcome) {
              case "right" -> List.of(1, 0, 0);
              case "wrong" -> List.of(0, 0, 1);
              default -> List.of(0, 1, 0);
            });
  }

  @Test
  void whatATestMadeUpIsCountedApart() {
    String line = "NVRM: Xid (PCI:0000:3b:00): 79, GPU fell";
    for (String note : List.of("kept in a test; x", "a tool's injection", "in a design document")) {
      assertThat(score(line, "xid 79", "", "", note).rows().getFirst().kind()).startsWith("made");
    }
    for (String note : List.of("posted", "kept in a test, from machines", "from a machine")) {
      assertThat(score(line, "xid 79", "", "", note).rows().getFirst().kind()).startsWith("posted");
    }
  }

  @Test
  void aMissSaysWhatWasToldAndWhyWeDiffer() {
    String line = "NVRM: Xid (PCI:0000:3b:00): 156, Retiring TPC 1";
    assertThat(score(line, "xid 156", "", "RESET_GPU", "posted").misses())
        .singleElement()
        .asString()
        .contains("wrong", "reset-at-drain", "we differ");
  }

  @Test
  void aRowThatIsNoneNamesItsLine() {
    assertThatThrownBy(() -> KernelCase.read("k.tsv", HEAD + "a\tb\n"))
        .hasMessageContaining("k.tsv:2");
  }
}
