package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt was interrupted, as far as can be told.
 *
 * @param ranks the suspected ones, the surest first; empty: cannot tell
 * @param node the suspected node, empty: cannot tell or no node is to blame
 * @param confidence 0 to 1
 * @param what one sentence: what happened
 * @param evidence what it rests on, one line each
 * @param step where the run was, −1: not known
 */
public record Diagnosis(
    FailureClass kind,
    List<Integer> ranks,
    String node,
    double confidence,
    String what,
    List<String> evidence,
    long step) {

  public Diagnosis {
    ranks = List.copyOf(ranks);
    evidence = List.copyOf(evidence);
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence);
    }
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "class",
        kind.word(),
        "ranks",
        ranks,
        "node",
        node.isEmpty() ? null : node,
        "confidence",
        confidence,
        "what",
        what,
        "evidence",
        evidence,
        "step",
        step);
  }

  public static Diagnosis of(Fields fields) {
    return new Diagnosis(
        FailureClass.of(fields.text("class")),
        fields.integers("ranks"),
        fields.text("node", ""),
        fields.decimal("confidence", 0),
        fields.text("what"),
        fields.texts("evidence"),
        fields.number("step", -1));
  }
}
