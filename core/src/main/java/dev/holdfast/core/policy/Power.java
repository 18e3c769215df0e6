package dev.holdfast.core.policy;

import dev.holdfast.core.health.Accept;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What may a rule act on? Of all checks that get as far as this rule: those whose findings are
 * proven as far as the policy accepts, and the others with what they are short of. A check with a
 * table stands on both sides when some of its rows are and others are not.
 *
 * @param acting with those of their rows that act, should they have a table
 * @param recommending by what is missing
 */
public record Power(
    Rule rule, List<KnownCheck> acting, Map<String, List<KnownCheck>> recommending) {

  /** Of each rule, in their order. */
  public static List<Power> of(Policy policy, Collection<KnownCheck> known) {
    Map<String, List<Situation>> situations =
        Situation.all(policy, known).stream()
            .filter(Situation::listed)
            .collect(Collectors.groupingBy(Situation::check));
    List<Power> powers = new ArrayList<>();
    for (int at = 0; at < policy.rules().size(); at++) {
      powers.add(
          of(policy.rules().get(at), policy.rules().subList(0, at), known, situations, policy));
    }
    return powers;
  }

  private static Power of(
      Rule rule,
      List<Rule> before,
      Collection<KnownCheck> known,
      Map<String, List<Situation>> situations,
      Policy policy) {
    Accept accept = policy.accept();
    List<KnownCheck> acting = new ArrayList<>();
    Map<String, List<KnownCheck>> recommending = new LinkedHashMap<>();
    for (KnownCheck check : known) {
      List<Situation> met =
          situations.getOrDefault(check.id(), List.of()).stream()
              .filter(it -> PolicyLint.turn(rule, it, before))
              .toList();
      if (met.isEmpty()) {
        continue;
      }
      if (check.rows().isEmpty()) {
        put(check, List.of(), accept, acting, recommending);
      }
      Map<String, List<KnownRow>> rows =
          check.rows().stream()
              .filter(row -> met.stream().anyMatch(it -> it.severity() == row.severity()))
              .collect(
                  Collectors.groupingBy(
                      row ->
                          accept.takes(check.proof(), Optional.of(row.proof()))
                              ? ""
                              : accept.lack(check.proof(), Optional.of(row.proof())),
                      LinkedHashMap::new,
                      Collectors.toList()));
      rows.values().forEach(some -> put(check, some, accept, acting, recommending));
    }
    return new Power(rule, acting, recommending);
  }

  /** Rows of one check that are all taken, or all short of the same. */
  private static void put(
      KnownCheck check,
      List<KnownRow> rows,
      Accept accept,
      List<KnownCheck> acting,
      Map<String, List<KnownCheck>> recommending) {
    var proof = rows.stream().findFirst().map(KnownRow::proof);
    KnownCheck part = new KnownCheck(check.id(), check.faultClass(), check.proof(), rows);
    if (accept.takes(check.proof(), proof)) {
      acting.add(part);
    } else {
      recommending
          .computeIfAbsent(accept.lack(check.proof(), proof), _ -> new ArrayList<>())
          .add(part);
    }
  }
}
