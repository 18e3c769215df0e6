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
 * @param rule the row of failure-rules.tsv that fits, empty: none
 * @param error the words of the program itself, empty: none
 */
public record Diagnosis(
    FailureClass kind,
    List<Integer> ranks,
    String node,
    double confidence,
    String what,
    List<String> evidence,
    long step,
    String rule,
    String error) {
  private static final int MOST_SIGNATURE = 300;

  public Diagnosis {
    ranks = List.copyOf(ranks);
    evidence = List.copyOf(evidence);
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence);
    }
  }

  /** A diagnosis that rests on watching, not on what a rank said. */
  public Diagnosis(
      FailureClass kind,
      List<Integer> ranks,
      String node,
      double confidence,
      String what,
      List<String> evidence,
      long step) {
    this(kind, ranks, node, confidence, what, evidence, step, "", "");
  }

  /**
   * The same for two failures that are the same: class, rule and words, without the numbers and
   * addresses that differ from run to run. Bounded, because it goes from leader to leader.
   */
  public String signature() {
    StringBuilder text = new StringBuilder(kind.word()).append(' ').append(rule).append(' ');
    for (int at = 0; at < error.length() && text.length() < MOST_SIGNATURE; at++) {
      char c = error.charAt(at);
      boolean number = c >= '0' && c <= '9';
      boolean again = text.charAt(text.length() - 1) == '#';
      boolean hex = again && (c == 'x' || (c >= 'a' && c <= 'f'));
      if (!(again && (number || hex))) {
        text.append(number ? '#' : c);
      }
    }
    return text.toString();
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
        step,
        "rule",
        rule.isEmpty() ? null : rule,
        "error",
        error.isEmpty() ? null : error);
  }

  public static Diagnosis of(Fields fields) {
    return new Diagnosis(
        FailureClass.of(fields.text("class")),
        fields.integers("ranks"),
        fields.text("node", ""),
        fields.decimal("confidence", 0),
        fields.text("what"),
        fields.texts("evidence"),
        fields.number("step", -1),
        fields.text("rule", ""),
        fields.text("error", ""));
  }
}
