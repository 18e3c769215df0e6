package dev.holdfast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {
  private static Finding finding(Proof check, Optional<Proof> row) {
    return new Finding(
        "gpu.kernel.xid",
        new Subject.Node("n1").gpu(3),
        Finding.Kind.EVENT,
        Severity.FATAL,
        FaultClass.HARDWARE,
        check,
        row,
        "Xid 79: GPU fell off the bus",
        Optional.empty(),
        List.of(new Evidence("kernel-log", "x")),
        "meaning",
        "remedy");
  }

  private static Optional<Proof> proof(String word) {
    return "-".equals(word)
        ? Optional.empty()
        : Optional.of(Proof.valueOf(word.toUpperCase(java.util.Locale.ROOT)));
  }

  @ParameterizedTest
  @CsvSource({
    // accepted, check, row, taken
    "-, hardware, -, true",
    "-, recorded, -, true",
    "-, documented, -, false",
    "-, documented, recorded, false",
    "-, recorded, documented, true",
    "hardware, hardware, -, true",
    "hardware, recorded, -, false",
    "hardware, hardware, recorded, false",
    "recorded, documented, recorded, true",
    "recorded, documented, -, false",
    "recorded, recorded, documented, false",
    "documented, documented, documented, true",
    "documented, documented, -, true",
  })
  void aRowCountsOnlyWhereSomebodySaidWhatHeAccepts(
      String accepted, String check, String row, boolean taken) {
    Accept accept = new Accept(proof(accepted));
    assertThat(accept.takes(finding(proof(check).orElseThrow(), proof(row)))).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "-, documented, -, the check is written from documents only and the policy has no 'accept'",
    "-, documented, recorded, the row it comes from is recorded and the policy has no 'accept'",
    "recorded, documented, documented,"
        + " the row it comes from is written from documents only and the policy accepts only what is"
        + " recorded",
    "hardware, recorded, -, the check is recorded and the policy accepts only what is proven on"
        + " hardware",
  })
  void whyItIsRefusedIsSaid(String accepted, String check, String row, String why) {
    Finding finding = finding(proof(check).orElseThrow(), proof(row));
    assertThat(new Accept(proof(accepted)).refusal(finding).replace(",", "")).isEqualTo(why);
  }

  @Test
  void theProofOfTheRowGoesOverTheWireBesideThatOfTheCheck() {
    Finding told = finding(Proof.DOCUMENTED, Optional.of(Proof.RECORDED));
    assertThat(FindingForm.json(told))
        .containsEntry("proof", "documented")
        .containsEntry("rowProof", "recorded");
    assertThat(FindingForm.of(Fields.of("finding", FindingForm.json(told)))).isEqualTo(told);
  }

  @Test
  void whatAnOlderAgentTellsHasNoRowAndWhatANewerOneAddsIsLeftUnread() {
    Finding told = finding(Proof.DOCUMENTED, Optional.empty());
    Map<String, Object> tree = new LinkedHashMap<>(FindingForm.json(told));
    assertThat(tree).doesNotContainKey("rowProof");
    tree.put("sinceThen", Map.of("more", 1));
    assertThat(FindingForm.of(Fields.of("finding", tree))).isEqualTo(told);
  }
}
