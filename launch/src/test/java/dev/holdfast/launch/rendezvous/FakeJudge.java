package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Decision;
import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.RankActivity;
import java.util.List;
import java.util.Optional;

/** Restarts while the budget lasts; blames the first rank; a rank in phase "hang" hangs. */
final class FakeJudge implements Judge {
  private final int maxRestarts;
  private final boolean withoutCulprit;
  private int used;
  private int toldUsed;

  FakeJudge(int maxRestarts, boolean withoutCulprit) {
    this.maxRestarts = maxRestarts;
    this.withoutCulprit = withoutCulprit;
  }

  /** How many restarts there were, by what was told with a record. */
  static int used(List<String> told) {
    return Integer.parseInt(told.getFirst());
  }

  @Override
  public Optional<Diagnosis> look(Assignment assignment, List<RankActivity> ranks) {
    return ranks.stream()
        .filter(rank -> rank.phase().equals("hang"))
        .findFirst()
        .map(
            rank ->
                new Diagnosis(
                    FailureClass.HANG,
                    List.of(rank.rank()),
                    assignment.memberOf(rank.rank()).node(),
                    0.9,
                    "rank " + rank.rank() + " hangs",
                    List.of(),
                    rank.step()));
  }

  @Override
  public Diagnosis diagnose(Assignment assignment, List<RankEvidence> failed) {
    RankEvidence first = failed.getFirst();
    return new Diagnosis(
        FailureClass.USER_CODE,
        failed.stream().map(RankEvidence::rank).toList(),
        first.node(),
        0.8,
        "rank " + first.rank() + " exited with " + first.exitCode(),
        List.of(),
        -1);
  }

  @Override
  public synchronized Decision decide(Assignment assignment, Diagnosis diagnosis, int spares) {
    if (used >= maxRestarts) {
      return Decision.stop(1, "no restarts left: " + diagnosis.what());
    }
    used++;
    return withoutCulprit && spares > 0
        ? Decision.restartWithout(diagnosis.node(), diagnosis.what())
        : Decision.restart(diagnosis.what());
  }

  @Override
  public synchronized List<String> tell() {
    return List.of(Integer.toString(used));
  }

  @Override
  public synchronized void told(int attempt, List<String> texts) {
    toldUsed = used(texts);
  }

  @Override
  public long step(int attempt) {
    return -1;
  }

  @Override
  public void stepped(int attempt, long step) {}

  @Override
  public synchronized void takeOver(Assignment newest) {
    used = toldUsed;
  }

  @Override
  public synchronized void missed(int attempts) {
    used += attempts;
  }
}
