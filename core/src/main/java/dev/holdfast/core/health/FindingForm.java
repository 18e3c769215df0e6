package dev.holdfast.core.health;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one JSON form of a finding, in reports, answers and on the wire. */
public final class FindingForm {
  private FindingForm() {}

  public static Map<String, @Nullable Object> json(Finding finding) {
    return Json.map(
        "check",
        finding.check(),
        "subject",
        finding.subject().toString(),
        "kind",
        finding.kind().name().toLowerCase(Locale.ROOT),
        "severity",
        finding.severity().word(),
        "class",
        finding.faultClass().word(),
        "proof",
        finding.proof().word(),
        "rowProof",
        finding.rowProof().map(Proof::word).orElse(null),
        "summary",
        finding.summary(),
        "since",
        finding.since().map(Times::show).orElse(null),
        "evidence",
        finding.evidence().stream()
            .map(item -> Json.map("source", item.source(), "value", item.value()))
            .toList(),
        "meaning",
        finding.meaning(),
        "remedy",
        finding.remedy());
  }

  public static Finding of(Fields fields) {
    return new Finding(
        fields.text("check"),
        Subject.parse(fields.text("subject")),
        fields.word("kind", Finding.Kind.class),
        fields.word("severity", Severity.class),
        fields.word("class", FaultClass.class),
        fields.word("proof", Proof.class),
        fields.optionalText("rowProof").isPresent()
            ? Optional.of(fields.word("rowProof", Proof.class))
            : Optional.empty(),
        fields.text("summary"),
        fields.optionalText("since").map(Times::read),
        fields.objects("evidence").stream()
            .map(item -> new Evidence(item.text("source"), item.text("value")))
            .toList(),
        fields.text("meaning"),
        fields.text("remedy"));
  }
}
