package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyLint;
import dev.holdfast.core.policy.Power;
import dev.holdfast.core.policy.Problem;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prove that a policy is sound. */
@Command(
    name = "lint",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prove that a policy is sound: every fatal fault has a rule, every node taken out a way back,"
            + " no rule is written in vain, nothing goes round for ever, the limits limit. Tells for"
            + " each rule on what it may act, what it only recommends, and why.",
    footer = {
      "",
      "Exit code 1 when there are errors; warnings alone do not fail.",
      "",
      "Examples:",
      "  holdfast policy lint site.yaml",
      "  holdfast policy lint site.yaml --nodes 512 --format json",
    })
final class PolicyLintCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "The policy. Default: the one that comes with Holdfast.")
  private @Nullable Path file;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Hold its limits against a cluster of so many nodes.")
  private @Nullable Integer nodes;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  PolicyLintCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (nodes != null && nodes < 1) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "--nodes: a cluster has at least 1 node");
    }
    Policy policy = PolicyFile.read(file);
    List<Problem> problems =
        PolicyLint.check(
            policy,
            PolicyFile.checks(),
            nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes));
    boolean sound = problems.stream().noneMatch(it -> it.level() == Problem.Level.ERROR);
    PowerReport powers = new PowerReport(policy, Power.of(policy, PolicyFile.checks()));
    console.answer(
        format == TableOrJson.JSON
            ? json(policy, sound, problems, powers)
            : powers.text(console) + table(policy, problems));
    return sound ? 0 : 1;
  }

  private static String json(
      Policy policy, boolean sound, List<Problem> problems, PowerReport powers) {
    return Json.pretty(
        Json.map(
            "schema",
            "holdfast.lint/1",
            "policy",
            policy.name(),
            "accept",
            policy.accept().least().map(Proof::word).orElse(null),
            "rules",
            policy.rules().size(),
            "sound",
            sound,
            "problems",
            problems.stream()
                .map(
                    it ->
                        Json.map(
                            "level",
                            it.level().word(),
                            "kind",
                            it.kind(),
                            "rule",
                            it.rule().isEmpty() ? null : it.rule(),
                            "what",
                            it.what()))
                .toList(),
            "powers",
            powers.json()));
  }

  private String table(Policy policy, List<Problem> problems) {
    StringBuilder out = new StringBuilder();
    for (Problem problem : problems) {
      String word = "%-8s".formatted(problem.level().word());
      String text = problem.kind() + ": " + (problem.rule().isEmpty() ? "" : problem.rule() + ": ");
      out.append(problem.level() == Problem.Level.ERROR ? console.style().red(word) : word)
          .append(Wrap.hanging(text + problem.what(), 8, console.width()))
          .append('\n');
    }
    long errors = problems.stream().filter(it -> it.level() == Problem.Level.ERROR).count();
    return out.append(
            "%s, %d rules: %s\n"
                .formatted(
                    policy.name(),
                    policy.rules().size(),
                    problems.isEmpty()
                        ? "sound"
                        : "%s%d errors, %d warnings"
                            .formatted(
                                errors == 0 ? "sound; " : "", errors, problems.size() - errors)))
        .toString();
  }
}
