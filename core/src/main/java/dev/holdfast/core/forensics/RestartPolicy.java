package dev.holdfast.core.forensics;

import dev.holdfast.core.forensics.FailureRule.Retry;
import dev.holdfast.core.forensics.RestartHistory.Past;
import dev.holdfast.core.text.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * Try again, try again without a node, or stop because it would only fail again?
 *
 * <p>A pure function: all it knows is in its arguments, so that the leader that follows a dead one
 * decides the same, and so that a decision can be replayed. The questions are asked in the order of
 * {@link #choose}; the first that has an answer decides.
 *
 * @param maxRestarts for the whole job, not for each node
 * @param decay after so much training time one used restart is given back, so that a run of months
 *     does not die of a number meant for a day; zero: never
 */
public record RestartPolicy(int maxRestarts, Duration decay, ExitCodes exitCodes) {
  public static final Duration DEFAULT_DECAY = Duration.ofHours(24);

  /** An error within this time of the start did not need training to appear. */
  static final Duration FIRST_SECONDS = Duration.ofSeconds(60);

  /** So many attempts in a row without getting further are a crash loop. */
  static final int BARREN = 3;

  /** So many failures of one kind at one node, and the node is left out. */
  static final int SUSPICIOUS = 2;

  public RestartPolicy {
    if (maxRestarts < 0) {
      throw new IllegalArgumentException("restarts below zero: " + maxRestarts);
    }
  }

  /**
   * How the attempt went until it was interrupted.
   *
   * @param ran since its ranks were started
   * @param trained since its first step; all of {@code ran} where steps are not told
   * @param bestStep its furthest step, −1: none was told
   */
  public record Effort(Duration ran, Duration trained, long bestStep) {}

  /**
   * The nodes there are.
   *
   * @param members in the attempt that failed, the lost ones too
   * @param spares that could step in
   */
  public record Room(int members, int minNodes, int spares) {
    boolean withoutOne() {
      return members - 1 + spares >= Math.max(1, minNodes);
    }
  }

  /** A decision and what to remember for the next one. */
  public record Verdict(Decision decision, RestartHistory history) {}

  public Verdict decide(Diagnosis diagnosis, Effort effort, Room room, RestartHistory history) {
    RestartHistory credited = credit(history, effort, diagnosis);
    Decision decision = choose(diagnosis, effort, room, credited);
    Past past =
        new Past(
            diagnosis.kind(),
            diagnosis.signature(),
            diagnosis.node(),
            diagnosis.step(),
            effort.ran());
    boolean moved = !decision.without().isEmpty() || diagnosis.kind() == FailureClass.PREEMPTION;
    RestartHistory next =
        new RestartHistory(
            credited.used() + (decision.counts() ? 1 : 0),
            credited.progress(),
            credited.bestStep(),
            moved ? Math.max(0, credited.barren() - 1) : credited.barren(),
            credited.with(past).past());
    return new Verdict(decision, next);
  }

  /** How many restarts are left. */
  public int left(RestartHistory history) {
    return Math.max(0, maxRestarts - history.used());
  }

  private RestartHistory credit(RestartHistory history, Effort effort, Diagnosis diagnosis) {
    long best = Math.max(effort.bestStep(), diagnosis.step());
    boolean told = best >= 0 || history.bestStep() >= 0;
    boolean further = told ? best > history.bestStep() : effort.ran().compareTo(FIRST_SECONDS) >= 0;
    Duration progress = history.progress().plus(further ? effort.trained() : Duration.ZERO);
    int used = history.used();
    while (used > 0 && !decay.isZero() && progress.compareTo(decay) >= 0) {
      used--;
      progress = progress.minus(decay);
    }
    return new RestartHistory(
        used,
        used == 0 ? Duration.ZERO : progress,
        Math.max(best, history.bestStep()),
        further ? 0 : history.barren() + 1,
        history.past());
  }

  private Decision choose(Diagnosis diagnosis, Effort effort, Room room, RestartHistory history) {
    Retry retry = FailureRules.byId(diagnosis.rule()).map(FailureRule::retry).orElse(Retry.YES);
    if (diagnosis.kind() == FailureClass.PREEMPTION) {
      return preempted(diagnosis, retry, room);
    }
    if (retry == Retry.NO) {
      return Decision.stop(exitCodes.fatal(), "It would only fail again: " + meaning(diagnosis));
    }
    if (history.used() >= maxRestarts) {
      return Decision.stop(exitCodes.retryable(), exhausted(history));
    }
    Optional<Decision> node = aboutNode(diagnosis, room, history);
    if (node.isPresent()) {
      return node.get();
    }
    Optional<String> hopeless = hopeless(diagnosis, effort, retry, history);
    if (hopeless.isPresent()) {
      return Decision.stop(exitCodes.fatal(), hopeless.get());
    }
    return Decision.restart(
        "Restart " + (history.used() + 1) + " of at most " + maxRestarts + " on the same nodes.");
  }

  private Decision preempted(Diagnosis diagnosis, Retry retry, Room room) {
    boolean oneNode = !diagnosis.node().isEmpty();
    if (retry == Retry.NO || (oneNode && !room.withoutOne())) {
      return Decision.stop(
          exitCodes.preempted(),
          retry == Retry.NO
              ? "The job was asked to end: " + meaning(diagnosis)
              : "The node " + diagnosis.node() + " was taken and too few are left.");
    }
    return new Decision(
        Decision.Choice.RESTART,
        diagnosis.node(),
        false,
        0,
        oneNode
            ? "The node " + diagnosis.node() + " was taken; this does not count as a restart."
            : "Preempted; this does not count as a restart.");
  }

  private Optional<Decision> aboutNode(Diagnosis diagnosis, Room room, RestartHistory history) {
    String node = diagnosis.node();
    if (node.isEmpty()) {
      return Optional.empty();
    }
    long earlier =
        history.past().stream()
            .filter(past -> past.node().equals(node) && past.kind() == diagnosis.kind())
            .count();
    boolean lost = diagnosis.kind() == FailureClass.LOST_NODE;
    boolean broken =
        lost
            || diagnosis.kind() == FailureClass.LOST_GPU
            || diagnosis.kind() == FailureClass.ECC
            || (suspects(diagnosis) && earlier + 1 >= SUSPICIOUS);
    if (!broken) {
      return Optional.empty();
    }
    String times = earlier == 0 ? "" : ", for the " + ordinal(earlier + 1) + " time";
    if (room.withoutOne()) {
      return Optional.of(
          Decision.restartWithout(
              node,
              "Restart without " + node + ": " + diagnosis.kind().word() + " there" + times + "."));
    }
    if (lost || earlier > 0) {
      return Optional.of(
          Decision.stop(
              exitCodes.retryable(),
              "Without " + node + " there are too few nodes (" + room.minNodes() + " needed)."));
    }
    return Optional.of(
        Decision.restart(
            "No node can take the place of " + node + "; it is tried once more with it."));
  }

  private static boolean suspects(Diagnosis diagnosis) {
    return switch (diagnosis.kind()) {
      case CUDA_ERROR, NCCL_ERROR, HANG -> true;
      default ->
          FailureRules.byId(diagnosis.rule())
              .map(rule -> rule.blame() == FailureRule.Blame.NODE)
              .orElse(false);
    };
  }

  private Optional<String> hopeless(
      Diagnosis diagnosis, Effort effort, Retry retry, RestartHistory history) {
    if (!history.past().isEmpty()) {
      Past last = history.past().getLast();
      boolean same = last.signature().equals(diagnosis.signature());
      if (same && diagnosis.step() >= 0 && last.step() == diagnosis.step()) {
        return Optional.of(
            "The same error at step " + diagnosis.step() + " twice: it would come again.");
      }
      if (same
          && diagnosis.kind() == FailureClass.USER_CODE
          && effort.ran().compareTo(FIRST_SECONDS) < 0
          && last.ran().compareTo(FIRST_SECONDS) < 0) {
        return Optional.of(
            "The same error twice within "
                + Durations.show(FIRST_SECONDS)
                + " of the start: it would come again.");
      }
      if (same && retry == Retry.ONCE) {
        return Optional.of("The same again after a retry: " + meaning(diagnosis));
      }
    }
    return history.barren() >= BARREN
        ? Optional.of(
            "Crash loop: "
                + history.barren()
                + " attempts in a row got no further"
                + (history.bestStep() >= 0 ? " than step " + history.bestStep() + "." : "."))
        : Optional.empty();
  }

  private String exhausted(RestartHistory history) {
    return maxRestarts == 0
        ? "No restarts were allowed (--max-restarts 0)."
        : "All " + history.used() + " restarts are used up (--max-restarts " + maxRestarts + ").";
  }

  private static String meaning(Diagnosis diagnosis) {
    return FailureRules.byId(diagnosis.rule()).map(FailureRule::meaning).orElse(diagnosis.what());
  }

  private static String ordinal(long number) {
    return switch ((int) number) {
      case 2 -> "2nd";
      case 3 -> "3rd";
      default -> number + "th";
    };
  }
}
