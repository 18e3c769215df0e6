package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Why an attempt was interrupted when launchers, not ranks, are what is missing. */
final class Losses {
  private Losses() {}

  static Diagnosis leader() {
    return new Diagnosis(
        FailureClass.LOST_NODE, List.of(), "", 0.5, "the leading launcher was lost", List.of(), -1);
  }

  static Diagnosis node(Peer peer, Assignment assignment, boolean present, Timings timings) {
    String name = peer.member.node();
    String what;
    if (peer.gone) {
      what = name + " left";
    } else if (peer.replaced) {
      what = "the launcher on " + name + " was started anew";
    } else if (present && peer.attempt != assignment.attempt()) {
      what = name + " did not start its ranks";
    } else if (present) {
      what = name + " ended its ranks because it had lost its leader";
    } else {
      what = "no sign of life from " + name + " for " + timings.silenceMillis() / 1000 + " s";
    }
    return new Diagnosis(
        FailureClass.LOST_NODE, ranks(peer.member, assignment), name, 1, what, List.of(), -1);
  }

  /** A node that went silent is more likely the cause than what the others then met. */
  static Diagnosis withSilent(
      Diagnosis found, List<Peer> unconfirmed, Assignment assignment, Predicate<Peer> silent) {
    List<Peer> lost = unconfirmed.stream().filter(silent).toList();
    if (lost.isEmpty() || (found.kind() == FailureClass.LOST_NODE && !found.node().isEmpty())) {
      return found;
    }
    List<Integer> ranks = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Peer peer : lost) {
      ranks.addAll(ranks(peer.member, assignment));
      names.add(peer.member.node());
    }
    List<String> evidence = new ArrayList<>();
    evidence.add(found.what());
    evidence.addAll(found.evidence());
    return new Diagnosis(
        FailureClass.LOST_NODE,
        ranks,
        names.getFirst(),
        0.9,
        "no sign of life from " + String.join(", ", names),
        evidence,
        found.step());
  }

  private static List<Integer> ranks(Member member, Assignment assignment) {
    List<Integer> ranks = new ArrayList<>();
    assignment
        .nodeRank(member.node())
        .ifPresent(
            place -> {
              int first = assignment.firstRank(place);
              for (int i = 0; i < member.processes(); i++) {
                ranks.add(first + i);
              }
            });
    return ranks;
  }
}
