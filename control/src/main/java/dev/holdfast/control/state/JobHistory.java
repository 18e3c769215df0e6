package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How a job came to where it is: its attempts, and how long its steps took, so much of it as a
 * chart can show.
 */
public record JobHistory(List<Attempt> attempts, List<Step> steps) {
  public static final JobHistory NONE = new JobHistory(List.of(), List.of());

  private static final int MOST_ATTEMPTS = 50;
  private static final int MOST_STEPS = 240;

  /** One life of the job, as far as it was told: from the first word to the last. */
  public record Attempt(
      int attempt, Instant from, Instant until, int nodes, long firstStep, long lastStep) {}

  /** How long a step took then. */
  public record Step(Instant at, long step, double seconds) {}

  public JobHistory {
    attempts = List.copyOf(attempts);
    steps = List.copyOf(steps);
  }

  JobHistory told(JobDescription job, Instant at) {
    return new JobHistory(attempted(job, at), stepped(job, at));
  }

  private List<Attempt> attempted(JobDescription job, Instant at) {
    List<Attempt> more = new ArrayList<>(attempts);
    Attempt now = new Attempt(job.attempt(), at, at, job.members().size(), job.step(), job.step());
    if (!more.isEmpty() && more.getLast().attempt() == job.attempt()) {
      Attempt before = more.removeLast();
      long first = before.firstStep() < 0 ? job.step() : before.firstStep();
      now = new Attempt(job.attempt(), before.from(), at, now.nodes(), first, job.step());
    }
    more.add(now);
    return more.subList(Math.max(0, more.size() - MOST_ATTEMPTS), more.size());
  }

  /** When there are too many, every other one goes: what is left still covers the whole time. */
  private List<Step> stepped(JobDescription job, Instant at) {
    boolean same = !steps.isEmpty() && steps.getLast().step() == job.step();
    if (job.stepSeconds() <= 0 || same) {
      return steps;
    }
    List<Step> more = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      if (steps.size() < MOST_STEPS || i % 2 == 0) {
        more.add(steps.get(i));
      }
    }
    more.add(new Step(at, job.step(), job.stepSeconds()));
    return more;
  }
}
