package dev.holdfast.core.policy;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Is a policy sound? Every {@link Situation} a rule can tell apart is tried, so what is said here
 * is proven for all findings, not for examples:
 *
 * <ul>
 *   <li><b>coverage</b>: a fatal finding of any class meets a rule, wherever it happens;
 *   <li><b>exit</b>: a node that is taken out can come back, because somebody can run the checks
 *       again that failed;
 *   <li><b>unreached</b>: no rule is written in vain;
 *   <li><b>loop</b>: what does not help is not done for ever: a rule that comes round again rests,
 *       or one before it does more when the fault comes back;
 *   <li><b>budget</b>: how much can be out or reset is bounded, and the bounds mean something;
 *   <li><b>proof</b>: a rule that is to act is not waiting for checks that never act.
 * </ul>
 */
public final class PolicyLint {
  /** A shorter rest than it takes to try something breaks no loop. */
  static final Duration REST = Duration.ofMinutes(10);

  /** A reset of a device changes neither. */
  private static final Set<FaultClass> NOT_BY_RESET =
      Set.of(FaultClass.CONFIGURATION, FaultClass.USER);

  private final Policy policy;
  private final Map<String, KnownCheck> known = new LinkedHashMap<>();
  private final List<Situation> situations;
  private final List<Problem> problems = new ArrayList<>();

  private PolicyLint(Policy policy, Collection<KnownCheck> known) {
    this.policy = policy;
    known.forEach(it -> this.known.put(it.id(), it));
    this.situations = Situation.all(policy, known);
  }

  /**
   * All problems, errors first.
   *
   * @param known every check agents can run
   * @param nodes how many nodes it is meant for, if that is known
   */
  public static List<Problem> check(
      Policy policy, Collection<KnownCheck> known, OptionalInt nodes) {
    PolicyLint lint = new PolicyLint(policy, known);
    lint.coverage();
    for (int at = 0; at < policy.rules().size(); at++) {
      Rule rule = policy.rules().get(at);
      List<Rule> before = policy.rules().subList(0, at);
      List<Situation> met = lint.situations.stream().filter(it -> it.meets(rule.when())).toList();
      if (lint.reached(rule, met, before)) {
        lint.exit(rule, met);
        lint.loop(rule, met, before);
      }
      lint.names(rule);
      lint.acting(rule);
    }
    lint.problems.addAll(GuardLint.check(policy, nodes));
    return lint.problems.stream().sorted(java.util.Comparator.comparing(Problem::level)).toList();
  }

  private void coverage() {
    for (FaultClass of : FaultClass.values()) {
      List<Situation> fatal =
          situations.stream()
              .filter(it -> it.anyCheck() && it.faultClass() == of)
              .filter(it -> it.severity() == Severity.FATAL)
              .toList();
      List<Situation> missing = fatal.stream().filter(it -> !ruled(it)).toList();
      if (!missing.isEmpty()) {
        Set<Boolean> busy = missing.stream().map(Situation::busy).collect(Collectors.toSet());
        problems.add(
            Problem.error(
                "coverage",
                "",
                "no rule takes every fatal %s finding%s%s: it would only be recorded; if that is meant, say so by a rule with 'then: note'"
                    .formatted(
                        of.word(),
                        busy.size() > 1
                            ? ""
                            : busy.contains(true) ? " on busy nodes" : " on idle nodes",
                        missing.size() * 2 >= fatal.size() ? "" : " of some causes")));
      }
    }
  }

  private boolean ruled(Situation each) {
    return policy.rules().stream()
        .anyMatch(it -> !it.when().needsHistory() && each.meets(it.when()));
  }

  /** Whether some finding can get as far as this rule. */
  private boolean reached(Rule rule, List<Situation> met, List<Rule> before) {
    if (met.isEmpty()) {
      problems.add(Problem.error("unreached", rule.id(), "no finding can fit it: " + why(rule)));
      return false;
    }
    Set<String> takers = new TreeSet<>();
    for (Situation each : met) {
      Optional<Rule> taker = taker(rule, each, before);
      if (taker.isEmpty()) {
        return true;
      }
      takers.add(taker.get().id());
    }
    problems.add(
        Problem.error(
            "unreached",
            rule.id(),
            "never comes to its turn: everything it looks for fits before it in "
                + String.join(", ", takers)));
    return false;
  }

  /** A rule that comes before it in this situation, whatever happened earlier. */
  private static Optional<Rule> taker(Rule rule, Situation each, List<Rule> before) {
    return before.stream()
        .filter(it -> each.meets(it.when()) && implied(rule.when(), it.when()))
        .findFirst();
  }

  /** Whether the rule may decide in this situation. */
  static boolean turn(Rule rule, Situation each, List<Rule> before) {
    return each.meets(rule.when()) && taker(rule, each, before).isEmpty();
  }

  private String why(Rule rule) {
    return known.values().stream()
        .filter(it -> rule.when().checks().contains(it.id()))
        .map(it -> it.id() + " is of class " + it.faultClass().word())
        .collect(Collectors.joining(", "));
  }

  /** Whether whatever has come back often enough for one rule has done so for the other. */
  private static boolean implied(When by, When other) {
    if (other.offender() && !by.offender()) {
      return false;
    }
    if (other.repeated().isEmpty()) {
      return true;
    }
    if (by.repeated().isEmpty()) {
      return false;
    }
    When.Repeated less = other.repeated().get();
    When.Repeated more = by.repeated().get();
    return more.times() >= less.times()
        && more.within().compareTo(less.within()) <= 0
        && (less.wholeNode() || !more.wholeNode());
  }

  private void exit(Rule rule, List<Situation> met) {
    if (!rule.then().takesNodeOut()) {
      return;
    }
    Set<FaultClass> verifiable =
        known.values().stream().map(KnownCheck::faultClass).collect(Collectors.toSet());
    if (!rule.when().checks().isEmpty() && met.stream().noneMatch(Situation::listed)) {
      problems.add(
          Problem.error(
              "exit",
              rule.id(),
              "takes nodes out for checks no agent can run again (%s): they could never be verified and come back"
                  .formatted(String.join(", ", rule.when().checks()))));
      return;
    }
    Set<FaultClass> dead =
        met.stream()
            .filter(it -> it.anyCheck() && it.near())
            .map(Situation::faultClass)
            .filter(it -> !verifiable.contains(it))
            .collect(Collectors.toCollection(TreeSet::new));
    for (FaultClass each : dead) {
      problems.add(
          Problem.error(
              "exit",
              rule.id(),
              "takes nodes out for %s findings, and there is no check of that class they could pass to come back: 'then: watch' is the most that can be taken back"
                  .formatted(each.word())));
    }
  }

  private void loop(Rule rule, List<Situation> met, List<Rule> before) {
    Rung rung = rule.then();
    boolean comesRound = rung.atLeast(Rung.RESTART_PROCESS) && !rung.atLeast(Rung.REPLACE);
    if (!comesRound) {
      return;
    }
    boolean restart = rung == Rung.RESTART_PROCESS || rung == Rung.RESET_DEVICE;
    if (restart) {
      Set<FaultClass> vain =
          met.stream()
              .map(Situation::faultClass)
              .filter(NOT_BY_RESET::contains)
              .collect(Collectors.toCollection(TreeSet::new));
      for (FaultClass each : vain) {
        problems.add(
            Problem.error(
                "loop",
                rule.id(),
                "%s does not change what a %s finding is about, so it would come back at once"
                    .formatted(rung.word(), each.word())));
      }
    }
    if (rule.coolDown().compareTo(REST) >= 0) {
      return;
    }
    boolean escalates =
        met.stream()
            .filter(Situation::near)
            .allMatch(
                each ->
                    before.stream()
                        .anyMatch(
                            it ->
                                it.when().needsHistory()
                                    && it.then().compareTo(rung) > 0
                                    && each.meets(it.when())));
    if (!escalates) {
      problems.add(
          Problem.error(
              "loop",
              rule.id(),
              "when the fault comes back it does the same again, for ever: give it a coolDown of %s or more, or put a rule with 'repeated' and a higher 'then' before it"
                  .formatted(Durations.write(REST))));
    } else if (restart && rule.enforce()) {
      problems.add(
          Problem.error(
              "budget",
              rule.id(),
              "%s is not counted by the guard, so without a coolDown nothing bounds how often it is done"
                  .formatted(rung.word())));
    }
  }

  private void names(Rule rule) {
    for (String each : rule.when().checks()) {
      boolean matches = known.keySet().stream().anyMatch(it -> When.names(each, it));
      if (!matches && !each.startsWith("site.")) {
        problems.add(
            Problem.warning(
                "unknown",
                rule.id(),
                "no check is called "
                    + each
                    + Nearest.hint(each, known.keySet())
                    + "; that is right only if faults of that name are told from outside"));
      }
    }
    for (String each : rule.when().cause()) {
      if (!Reach.known(each)) {
        problems.add(
            Problem.warning(
                "unknown",
                rule.id(),
                "no incident of ours has the cause "
                    + each
                    + Nearest.hint(each, Reach.kinds())
                    + ", unless nodes describe themselves with it"));
      } else if (Reach.wide(each) && rule.then().atLeast(Rung.RESTART_PROCESS)) {
        problems.add(
            Problem.error(
                "unreached",
                rule.id(),
                "'then: %s' is never done about a cause that many nodes share (%s): it is noted for people; say 'then: note'"
                    .formatted(rule.then().word(), each)));
      }
    }
  }

  private boolean mayAct(KnownCheck check, Rule rule) {
    return check.rows().isEmpty()
        ? policy.accept().takes(check.proof(), Optional.empty())
        : rows(check, rule)
            .anyMatch(it -> policy.accept().takes(check.proof(), Optional.of(it.proof())));
  }

  private static Stream<KnownRow> rows(KnownCheck check, Rule rule) {
    return check.rows().stream().filter(it -> it.severity().atLeast(rule.when().severity()));
  }

  private String cure(List<KnownCheck> meant, Rule rule) {
    long recorded =
        meant.stream()
            .flatMap(it -> rows(it, rule))
            .filter(it -> it.proof().atLeast(Proof.RECORDED))
            .count();
    return policy.accept().least().isEmpty() && recorded > 0
        ? "; 'accept: recorded' would let rows of its table act: %d".formatted(recorded)
        : "; put it into a rule that only recommends";
  }

  private void acting(Rule rule) {
    if (!rule.enforce()) {
      if (rule.approval()) {
        problems.add(
            Problem.warning(
                "proof",
                rule.id(),
                "approval is asked for only when the rule has 'enforce: true'"));
      }
      return;
    }
    if (rule.then() == Rung.NOTE) {
      problems.add(Problem.warning("proof", rule.id(), "'enforce' means nothing for a note"));
      return;
    }
    for (String each : rule.when().checks()) {
      List<KnownCheck> meant =
          known.values().stream().filter(it -> When.names(each, it.id())).toList();
      List<String> never =
          meant.stream().filter(it -> !mayAct(it, rule)).map(KnownCheck::id).toList();
      if (never.isEmpty()) {
        continue;
      }
      boolean all = never.size() == meant.size();
      String what =
          "enforced, but %s not proven as far as is accepted and never acts%s"
              .formatted(
                  never.size() == 1 ? never.getFirst() + " is" : String.join(", ", never) + " are",
                  all ? cure(meant, rule) : "");
      problems.add(
          all
              ? Problem.error("proof", rule.id(), what)
              : Problem.warning("proof", rule.id(), what));
    }
  }
}
