package dev.holdfast.core.forensics;

import dev.holdfast.core.forensics.FailureRule.Blame;
import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules.Match;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Which rank began it, and of what did it die?
 *
 * <p>When one rank of a thousand fails, the others fail too, seconds to minutes later, and say so
 * louder. The first failure is looked for in this order:
 *
 * <ol>
 *   <li>Ranks we stopped ourselves, and ranks that ended well, are no suspects.
 *   <li>Ranks that complain of a peer ("connection closed", NCCL remote error, a timeout in a
 *       collective) are victims. They are suspects only if nobody else is.
 *   <li>Of the suspects the one that failed first, by the time in its error file or else by its
 *       exit. Error files count whole seconds and clocks of nodes differ, so all within {@link
 *       #TOGETHER_MILLIS} count as one moment; among those, whoever names a cause goes before
 *       whoever just ended.
 *   <li>If all are victims, see {@link Victims}.
 * </ol>
 *
 * How sure this is, is said in a number and in words; no class is guessed from a bare signal.
 */
public final class Forensics {
  /** Failures this close to the first one count as simultaneous. */
  public static final long TOGETHER_MILLIS = 1_500;

  private static final int MOST_RANKS = 64;
  private static final int MOST_EVIDENCE = 12;

  private Forensics() {}

  /** Why an attempt ended in which these ranks failed or were looked at; never empty. */
  public static Diagnosis diagnose(List<RankEvidence> ranks) {
    List<Case> failed =
        ranks.stream()
            .filter(rank -> !rank.stoppedByUs())
            .filter(
                rank -> rank.exitCode() > 0 || rank.signal() > 0 || !rank.errorMessage().isEmpty())
            .map(rank -> new Case(rank, FailureRules.classify(rank)))
            .sorted(Case.BY_TIME)
            .toList();
    if (failed.isEmpty()) {
      return nothing(ranks);
    }
    List<Case> suspects = failed.stream().filter(one -> !one.match.victim()).toList();
    return suspects.isEmpty() ? Victims.diagnose(failed) : began(suspects, failed);
  }

  private static Diagnosis nothing(List<RankEvidence> ranks) {
    String what =
        ranks.stream().allMatch(RankEvidence::stoppedByUs)
            ? "No rank failed by itself; all were stopped."
            : "No rank failed.";
    return new Diagnosis(
        FailureClass.UNKNOWN, List.of(), "", 0.1, what, List.of(), step(ranks), "", "");
  }

  private static Diagnosis began(List<Case> suspects, List<Case> failed) {
    long first = suspects.getFirst().millis();
    List<Case> together =
        suspects.stream()
            .filter(one -> one.millis() <= first + TOGETHER_MILLIS)
            .sorted(Comparator.comparing(Case::weight).thenComparing(Case.BY_TIME))
            .toList();
    Case root = together.getFirst();
    List<Case> same = together.stream().filter(one -> one.sameAs(root)).toList();
    boolean undisputed =
        together.stream().allMatch(one -> one.sameAs(root) || one.weight() != root.weight());
    Confidence confidence = Confidence.of(root, undisputed);

    List<Integer> ranks = numbers(same);
    List<String> evidence = new ArrayList<>();
    evidence.add(root.ending());
    if (!root.match.line().isEmpty()) {
      evidence.add("rank " + root.rank.rank() + " said: " + root.match.line());
    }
    if (same.size() > 1) {
      evidence.add(same.size() + " ranks failed alike: " + Ranks.show(ranks));
    }
    together.stream()
        .filter(one -> !one.sameAs(root))
        .limit(3)
        .map(Case::ending)
        .forEach(evidence::add);
    victims(failed, evidence);
    evidence.add(confidence.why());
    return new Diagnosis(
        root.kind(),
        ranks.subList(0, Math.min(MOST_RANKS, ranks.size())),
        root.node(same),
        confidence.value(),
        sentence(root, same, failed),
        evidence.subList(0, Math.min(MOST_EVIDENCE, evidence.size())),
        step(failed.stream().map(Case::rank).toList()),
        root.match.rule() == null ? "" : root.match.rule().id(),
        root.match.line());
  }

  private static String sentence(Case root, List<Case> same, List<Case> failed) {
    String who =
        same.size() == failed.size() && same.size() > 1
            ? "All " + same.size() + " failed ranks"
            : same.size() > 1
                ? "Ranks " + Ranks.show(numbers(same))
                : "Rank " + root.rank.rank() + " on " + root.rank.node();
    String line = root.match.line();
    FailureRule rule = root.match.rule();
    if (rule == null) {
      return who + " wrote an error file: " + line;
    }
    boolean words = !line.isEmpty() && rule.numbers().isEmpty();
    return who + ": " + (words ? line : root.how() + ". " + rule.meaning());
  }

  static void victims(List<Case> failed, List<String> evidence) {
    List<Case> victims = failed.stream().filter(one -> one.match.victim()).toList();
    if (!victims.isEmpty()) {
      evidence.add(
          (victims.size() == 1 ? "victim: rank " : "victims: ranks ")
              + Ranks.show(numbers(victims))
              + ", "
              + victims.getFirst().match.line());
    }
  }

  static List<Integer> numbers(List<Case> cases) {
    return cases.stream().map(one -> one.rank.rank()).toList();
  }

  static long step(List<RankEvidence> ranks) {
    return ranks.stream().mapToLong(RankEvidence::step).max().orElse(-1);
  }

  /** One rank and what fits it. */
  record Case(RankEvidence rank, Match match) {
    static final Comparator<Case> BY_TIME =
        Comparator.comparingLong(Case::millis).thenComparingInt(one -> one.rank.rank());

    long millis() {
      return rank.errorMillis() > 0
          ? Math.min(rank.errorMillis(), rank.atMillis())
          : rank.atMillis();
    }

    Weight weight() {
      FailureRule rule = match.rule();
      return rule == null ? Weight.GENERIC : rule.weight();
    }

    FailureClass kind() {
      FailureRule rule = match.rule();
      return rule == null ? FailureClass.USER_CODE : rule.kind();
    }

    boolean sameAs(Case other) {
      return java.util.Objects.equals(match.rule(), other.match.rule())
          && signature().equals(other.signature());
    }

    private String signature() {
      return new Diagnosis(kind(), List.of(), "", 0, "", List.of(), -1, "", match.line())
          .signature();
    }

    /** The node to suspect: none where the code is to blame or many nodes failed alike. */
    String node(List<Case> same) {
      FailureRule rule = match.rule();
      boolean local = rule != null && (rule.blame() == Blame.RANK || rule.blame() == Blame.NODE);
      var nodes = new TreeSet<>(same.stream().map(one -> one.rank.node()).toList());
      return local && nodes.size() == 1 ? rank.node() : "";
    }

    String how() {
      if (rank.signal() > 0) {
        return "ended by signal " + rank.signal();
      }
      return rank.exitCode() > 0 ? "exit code " + rank.exitCode() : "still there";
    }

    String ending() {
      return "rank "
          + rank.rank()
          + " on "
          + rank.node()
          + ": "
          + how()
          + ", "
          + (rank.errorMillis() > 0 ? "error at " : "at ")
          + Times.show(Instant.ofEpochMilli(millis()));
    }
  }

  /** How sure a verdict is, and why. */
  record Confidence(double value, String why) {
    static Confidence of(Case root, boolean undisputed) {
      FailureRule rule = root.match.rule();
      double value;
      String why;
      if (rule == null || (root.match.generic() && rule.numbers().isEmpty())) {
        value = 0.8;
        why = "it failed first, with an error of its own";
      } else if (root.match.generic()) {
        value = 0.5;
        why = "it ended first, but only the way it ended is known";
      } else {
        value = 0.9;
        why = "it failed first and names the cause";
      }
      if (root.rank.errorMillis() > 0) {
        value += 0.05;
        why += ", at a time its error file tells";
      }
      if (!undisputed) {
        value -= 0.25;
        why += "; others failed differently in the same moment";
      }
      value = Math.round(value * 100) / 100.0;
      return new Confidence(value, String.format(Locale.ROOT, "confidence %s: %s", value, why));
    }
  }
}
