package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An event is as proven as the row that judged it. */
class RowProofTest {
  private static KernelEvent only(String line) {
    var events = KernelLog.decode(line + "\n", Optional.empty(), Optional.empty());
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  private static Proof proof(String message) {
    return only("[ 10.0] NVRM: Xid (PCI:0000:3b:00): " + message).proof();
  }

  @Test
  void codesHaveTheProofOfTheirRow() {
    assertThat(proof("79, pid=7, GPU has fallen off the bus.")).isEqualTo(Proof.RECORDED);
    assertThat(proof("95, pid=7, Uncontained: LTC TAG (0x2,0x0)")).isEqualTo(Proof.DOCUMENTED);
    assertThat(proof("9999, what is this")).isEqualTo(Proof.DOCUMENTED);
    assertThat(
            only("[ 10.0] nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 20034, Fatal, Link 48 x")
                .proof())
        .isEqualTo(Proof.RECORDED);
  }

  @Test
  void aLineThatIsDecodedFurtherHasTheProofOfWhatItWasDecodedTo() {
    String known =
        "145, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0409a0c2 0x00000008 0x0 0x0 0x0 0x0)";
    assertThat(proof(known)).isEqualTo(Proof.RECORDED);
    assertThat(proof(known.replace("0x00000008", "0x00000001"))).isEqualTo(Proof.DOCUMENTED);
    assertThat(proof(known.replace("0x00000008", "0x00000040"))).isEqualTo(Proof.DOCUMENTED);
  }

  @Test
  void whatWeJudgeGraverThanTheRowIsOurOpinionAlone() {
    String contained = "NVRM: Xid (PCI:0000:3b:00): 94, pid=7, Contained: SM (0x1)\n";
    assertThat(only("[ 10.0] " + contained.strip()).proof()).isEqualTo(Proof.RECORDED);
    var again =
        KernelLog.decode(
            "[   10.000001] %s[  900.000001] %s[ 1900.000001] %s"
                .formatted(contained, contained, contained),
            Optional.empty(),
            Optional.empty());
    assertThat(again)
        .hasSize(3)
        .allMatch(it -> it.severity() == Severity.DEGRADED)
        .allMatch(it -> it.proof() == Proof.DOCUMENTED);
  }
}
