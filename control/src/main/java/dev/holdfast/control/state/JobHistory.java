package dev.holdfast.control.state;

import dev.holdfast.core.cluster.JobDescription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How a job came to where it is: its attempts, and how long its steps took, so much of it as a
 * chart can show. However long it runs, all of it is covered, and of the newest each step is there.
 *
 * @param steps the newest, one by one
 * @param whole all of them, several in one
 */
public record JobHistory(List<Attempt> attempts, List<Step> steps, List<Step> whole) {
  public static final JobHistory NONE = new JobHistory(List.of(), List.of(), List.of());

  private static final int MOST_ATTEMPTS = 50;
  private static final int MOST_STEPS = 120;
  private static final int MOST_OF_WHOLE = 160;

  /** One life of the job, as far as it was told: from the first word to the last. */
  public record Attempt(
      int attempt, Instant from, Instant until, int nodes, long firstStep, long lastStep) {}

  /**
   * How long a step took then.
   *
   * @param at when the last of them was told
   * @param seconds on average, where it stands for several
   * @param slowest the longest of them
   * @param count for how many it stands
   */
  public record Step(Instant at, long step, double seconds, double slowest, int count) {
    public Step {
      count = Math.max(1, count);
      slowest = Math.max(seconds, slowest);
    }

    private Step and(Step later) {
      int both = count + later.count;
      return new Step(
          later.at,
          later.step,
          (seconds * count + later.seconds * later.count) / both,
          Math.max(slowest, later.slowest),
          both);
    }
  }

  public JobHistory {
    attempts = List.copyOf(attempts);
    steps = List.copyOf(steps);
    whole = List.copyOf(whole);
  }

  /** All that a chart shows: from the beginning several steps in one, then one by one. */
  public List<Step> course() {
    List<Step> all = new ArrayList<>();
    whole.stream()
        .filter(it -> steps.isEmpty() || it.at().isBefore(steps.getFirst().at()))
        .forEach(all::add);
    all.addAll(steps);
    return all;
  }

  JobHistory told(JobDescription job, Instant at) {
    boolean same = !steps.isEmpty() && steps.getLast().step() == job.step();
    if (job.stepSeconds() <= 0 || same) {
      return new JobHistory(attempted(job, at), steps, whole);
    }
    Step step = new Step(at, job.step(), job.stepSeconds(), job.stepSeconds(), 1);
    List<Step> newest = new ArrayList<>(steps);
    newest.add(step);
    return new JobHistory(
        attempted(job, at),
        newest.subList(Math.max(0, newest.size() - MOST_STEPS), newest.size()),
        folded(step));
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

  /**
   * When there are too many, each two become one and stand for twice as many, so that all stand for
   * equally many; a slow step stays to be seen.
   */
  private List<Step> folded(Step step) {
    List<Step> all = new ArrayList<>(whole);
    if (all.size() > 1 && all.getLast().count() < all.getFirst().count()) {
      all.add(all.removeLast().and(step));
      return all;
    }
    all.add(step);
    if (all.size() <= MOST_OF_WHOLE) {
      return all;
    }
    List<Step> half = new ArrayList<>();
    for (int i = 0; i < all.size(); i += 2) {
      half.add(i + 1 < all.size() ? all.get(i).and(all.get(i + 1)) : all.get(i));
    }
    return half;
  }
}
