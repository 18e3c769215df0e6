package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyText;
import dev.holdfast.core.policy.Rule;
import dev.holdfast.core.policy.When;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Show a policy with everything that holds in it. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show the rules of a policy in their order, and the limits that hold.")
final class PolicyShowCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "The policy. Default: the one that comes with Holdfast.")
  private @Nullable Path file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, json, or yaml with everything written out. Default: table.")
  private Format format = Format.TABLE;

  /** How the answer is written. */
  enum Format {
    TABLE,
    JSON,
    YAML
  }

  PolicyShowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Policy policy = PolicyFile.read(file);
    console.answer(
        switch (format) {
          case TABLE -> table(policy);
          case JSON -> json(policy);
          // The shipped one has comments that are worth keeping.
          case YAML -> file == null ? DefaultPolicy.text() : PolicyText.of(policy);
        });
    return 0;
  }

  private String table(Policy policy) {
    StringBuilder out = new StringBuilder();
    out.append(console.style().bold(policy.name()))
        .append(", ")
        .append(policy.rules().size())
        .append(" rules; the first that fits decides\n\n");
    for (Rule rule : policy.rules()) {
      out.append(console.style().bold(rule.id())).append("  ").append(rule.then().word());
      out.append(stand(rule)).append('\n');
      field(out, "when", when(rule.when()));
      field(out, "rests", rule.coolDown().isZero() ? "" : Durations.show(rule.coolDown()));
      field(out, "waits", rule.settle().isZero() ? "" : Durations.show(rule.settle()));
      field(out, "because", rule.reason());
    }
    out.append('\n');
    field(out, "accept", PowerReport.accepted(policy));
    Guard guard = policy.guard();
    field(
        out,
        "guard",
        "out at once: %.3g%% of all nodes and no more than %d, %d a rack, %d a job; %d within %s trip it"
            .formatted(
                guard.share() * 100,
                guard.nodes(),
                guard.perRack(),
                guard.perJob(),
                guard.burst(),
                Durations.show(guard.window())));
    field(out, "silence", Durations.show(policy.silence()));
    field(
        out,
        "offender",
        "%d incidents within %s"
            .formatted(policy.offender(), Durations.show(policy.offenderWindow())));
    policy
        .windows()
        .forEach(
            it ->
                field(
                    out,
                    "maintenance",
                    "%s from %s until %s: %s"
                        .formatted(it.nodes(), it.from(), it.until(), it.why())));
    return out.toString();
  }

  private static String stand(Rule rule) {
    return rule.enforce() ? rule.approval() ? ", asks first" : ", acts" : ", recommends";
  }

  private void field(StringBuilder out, String label, String text) {
    if (!text.isEmpty()) {
      out.append(console.style().dim("  %-12s".formatted(label)))
          .append(Wrap.hanging(text, 14, console.width()))
          .append('\n');
    }
  }

  private static String when(When when) {
    List<String> parts = new ArrayList<>();
    parts.add(when.severity().word() + (when.severity().ordinal() == 3 ? "" : " or worse"));
    if (!when.classes().isEmpty()) {
      parts.add(
          when.classes().stream()
              .sorted()
              .map(FaultClass::word)
              .collect(Collectors.joining(" or ", "class ", "")));
    }
    if (!when.checks().isEmpty()) {
      parts.add(String.join(" or ", when.checks()));
    }
    when.repeated()
        .ifPresent(
            it ->
                parts.add(
                    "%d times within %s on the same %s"
                        .formatted(
                            it.times(),
                            Durations.show(it.within()),
                            it.wholeNode() ? "node" : "part")));
    if (when.offender()) {
      parts.add("on a repeat offender");
    }
    if (!when.cause().isEmpty()) {
      parts.add("caused by " + when.cause().stream().sorted().collect(Collectors.joining(" or ")));
    }
    if (when.job() != When.JobState.ANY) {
      parts.add(when.job() == When.JobState.IDLE ? "no job there" : "a job there");
    }
    return String.join("; ", parts);
  }

  private static String json(Policy policy) {
    Guard guard = policy.guard();
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.rules/1",
            "name",
            policy.name(),
            "accept",
            policy.accept().least().map(Proof::word).orElse(null),
            "silenceSeconds",
            policy.silence().toMillis() / 1000.0,
            "offender",
            Json.map(
                "times",
                policy.offender(),
                "withinSeconds",
                policy.offenderWindow().toMillis() / 1000.0),
            "guard",
            Json.map(
                "share",
                guard.share(),
                "nodes",
                guard.nodes(),
                "perRack",
                guard.perRack(),
                "perJob",
                guard.perJob(),
                "burst",
                guard.burst(),
                "windowSeconds",
                guard.window().toMillis() / 1000.0),
            "rules",
            policy.rules().stream().map(PolicyShowCommand::json).toList()));
  }

  private static java.util.Map<String, @Nullable Object> json(Rule rule) {
    When when = rule.when();
    return Json.map(
        "id",
        rule.id(),
        "checks",
        when.checks(),
        "classes",
        when.classes().stream().sorted().map(FaultClass::word).toList(),
        "severity",
        when.severity().word(),
        "repeated",
        when.repeated()
            .map(
                it ->
                    Json.map(
                        "times",
                        it.times(),
                        "withinSeconds",
                        it.within().toMillis() / 1000.0,
                        "of",
                        it.wholeNode() ? "node" : "part"))
            .orElse(null),
        "offender",
        when.offender(),
        "causes",
        when.cause().stream().sorted().toList(),
        "job",
        when.job().name().toLowerCase(Locale.ROOT),
        "then",
        rule.then().word(),
        "enforce",
        rule.enforce(),
        "approval",
        rule.approval(),
        "coolDownSeconds",
        rule.coolDown().toMillis() / 1000.0,
        "settleSeconds",
        rule.settle().toMillis() / 1000.0,
        "reason",
        rule.reason());
  }
}
