package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A policy as the file {@link PolicyYaml} reads: whatever is left out there stands here. */
public final class PolicyText {
  private PolicyText() {}

  public static String of(Policy policy) {
    StringBuilder out = new StringBuilder();
    line(out, 0, "schema", PolicyYaml.SCHEMA);
    line(out, 0, "name", quoted(policy.name()));
    policy.accept().least().ifPresent(it -> line(out, 0, "accept", it.word()));
    line(out, 0, "silence", Durations.write(policy.silence()));
    line(
        out,
        0,
        "offender",
        "{times: %d, within: %s}"
            .formatted(policy.offender(), Durations.write(policy.offenderWindow())));
    guard(out, policy.guard());
    if (!policy.windows().isEmpty()) {
      out.append("maintenance:\n");
      policy.windows().forEach(it -> window(out, it));
    }
    out.append(policy.rules().isEmpty() ? "rules: []\n" : "rules:\n");
    policy.rules().forEach(it -> rule(out, it));
    return out.toString();
  }

  private static void guard(StringBuilder out, Guard guard) {
    out.append("guard:\n");
    line(out, 1, "share", Double.toString(guard.share()));
    line(out, 1, "nodes", guard.nodes());
    line(out, 1, "perRack", guard.perRack());
    line(out, 1, "perJob", guard.perJob());
    line(out, 1, "burst", guard.burst());
    line(out, 1, "window", Durations.write(guard.window()));
  }

  private static void window(StringBuilder out, Window window) {
    out.append("  - nodes: ").append(quoted(window.nodes())).append('\n');
    line(out, 2, "from", quoted(Times.show(window.from())));
    line(out, 2, "until", quoted(Times.show(window.until())));
    line(out, 2, "why", quoted(window.why()));
  }

  private static void rule(StringBuilder out, Rule rule) {
    out.append("  - id: ").append(rule.id()).append('\n');
    when(out, rule.when());
    line(out, 2, "then", rule.then().word());
    line(out, 2, "enforce", rule.enforce());
    line(out, 2, "approval", rule.approval());
    some(out, "coolDown", rule.coolDown());
    some(out, "settle", rule.settle());
    line(out, 2, "reason", quoted(rule.reason()));
  }

  private static void when(StringBuilder out, When when) {
    out.append("    when:\n");
    if (!when.checks().isEmpty()) {
      line(out, 3, "checks", list(when.checks()));
    }
    if (!when.classes().isEmpty()) {
      line(out, 3, "class", list(when.classes().stream().map(FaultClass::word).sorted().toList()));
    }
    line(out, 3, "severity", when.severity().word());
    when.repeated()
        .ifPresent(
            it ->
                line(
                    out,
                    3,
                    "repeated",
                    "{times: %d, within: %s, of: %s}"
                        .formatted(
                            it.times(),
                            Durations.write(it.within()),
                            it.wholeNode() ? "node" : "part")));
    if (!when.cause().isEmpty()) {
      line(out, 3, "cause", list(when.cause().stream().sorted().toList()));
    }
    line(out, 3, "job", PolicyYaml.small(when.job()));
    if (when.offender()) {
      line(out, 3, "offender", true);
    }
  }

  private static void some(StringBuilder out, String key, Duration value) {
    if (!value.isZero()) {
      line(out, 2, key, Durations.write(value));
    }
  }

  private static void line(StringBuilder out, int depth, String key, Object value) {
    out.append("  ".repeat(depth)).append(key).append(": ").append(value).append('\n');
  }

  private static String list(List<String> words) {
    return words.stream().map(PolicyText::quoted).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Texts of JSON are texts of YAML, whatever stands in them. */
  private static String quoted(String text) {
    return Json.line(text);
  }
}
