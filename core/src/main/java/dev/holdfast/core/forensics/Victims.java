package dev.holdfast.core.forensics;

import dev.holdfast.core.forensics.Forensics.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Every failed rank complains of another one: can it still be told for whom they waited?
 *
 * <p>Two signs count. Where NCCL says how much work each rank had enqueued, those with the least
 * never came to the collective. Where some ranks ran into a timeout and others did not, those
 * others came late. Either must point to less than all; else the answer is that it cannot be told.
 */
final class Victims {
  private Victims() {}

  private record Verdict(List<Case> suspects, double confidence, String what, String why) {}

  static Diagnosis diagnose(List<Case> failed) {
    Verdict verdict = verdict(failed);
    Case first =
        failed.stream()
            .filter(one -> one.kind() == FailureClass.HANG && !verdict.suspects.isEmpty())
            .findFirst()
            .orElse(failed.getFirst());
    List<String> evidence = new ArrayList<>();
    evidence.add("rank " + first.rank().rank() + " said: " + first.match().line());
    Forensics.victims(failed, evidence);
    evidence.add("confidence " + verdict.confidence + ": " + verdict.why);
    List<String> nodes =
        verdict.suspects.stream().map(one -> one.rank().node()).distinct().toList();
    FailureRule rule = first.match().rule();
    return new Diagnosis(
        first.kind(),
        Forensics.numbers(verdict.suspects),
        nodes.size() == 1 ? nodes.getFirst() : "",
        verdict.confidence,
        verdict.what,
        evidence,
        Forensics.step(failed.stream().map(Case::rank).toList()),
        rule == null ? "" : rule.id(),
        first.match().line());
  }

  private static Verdict verdict(List<Case> failed) {
    List<Case> behind = behind(failed);
    if (!behind.isEmpty()) {
      return new Verdict(
          behind,
          0.6,
          "All waited in a collective; "
              + ranks(behind)
              + " had been given less work than the others and never came to it.",
          "NCCL's count of enqueued work is lowest there");
    }
    List<Case> waited = failed.stream().filter(one -> one.kind() == FailureClass.HANG).toList();
    List<Case> late = failed.stream().filter(one -> one.kind() != FailureClass.HANG).toList();
    if (!waited.isEmpty() && !late.isEmpty() && late.size() <= waited.size()) {
      return new Verdict(
          late,
          0.5,
          "R"
              + ranks(waited).substring(1)
              + " waited until the time was up; "
              + ranks(late)
              + " did not: it came late or not at all.",
          "the suspects are those that did not run into the timeout");
    }
    return new Verdict(
        List.of(),
        0.3,
        "Every failed rank complains of another one; which began cannot be told.",
        "only victims were heard");
  }

  /** Those with the least enqueued work, if all tell of it and most have more. */
  private static List<Case> behind(List<Case> failed) {
    long least = Long.MAX_VALUE;
    for (Case one : failed) {
      OptionalLong work = NcclWork.enqueued(one.rank().lastLines());
      if (work.isEmpty()) {
        return List.of();
      }
      least = Math.min(least, work.getAsLong());
    }
    List<Case> behind = new ArrayList<>();
    for (Case one : failed) {
      if (NcclWork.enqueued(one.rank().lastLines()).orElse(-1) == least) {
        behind.add(one);
      }
    }
    return behind.size() * 2 < failed.size() ? behind : List.of();
  }

  private static String ranks(List<Case> cases) {
    return Ranks.named(Forensics.numbers(cases));
  }
}
