package dev.holdfast.control.state;

import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobLoss;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The time jobs lost, by the hour in which they told of it: jobs tell what they lost in all, and
 * what is new in that belongs to the hour.
 */
final class LossTable {
  private static final Duration KEPT = Duration.ofDays(31);

  /** One source has so few jobs that it never loses time in more ways within an hour. */
  static final int MOST_OF_SOURCE = 500;

  /** Nor in so many in a month, counted by hours. */
  static final int MOST_IN_ALL = 10_000;

  private final ConcurrentSkipListMap<Instant, Hour> hours = new ConcurrentSkipListMap<>();

  /** What was lost in an hour, and in how many ways by source. */
  private static final class Hour {
    private final Map<Told, Lost> lost = new ConcurrentHashMap<>();
    private final Map<String, Integer> kinds = new ConcurrentHashMap<>();

    int kinds(String source) {
      return kinds.getOrDefault(source, 0);
    }

    /** Tells how many kinds it has more now. */
    int add(Told told, Lost more) {
      boolean room = kinds(told.source()) < MOST_OF_SOURCE || lost.containsKey(told);
      return room ? put(told, more) : 0;
    }

    int put(Told told, Lost more) {
      if (lost.merge(told, more, Lost::plus) != more) {
        return 0;
      }
      kinds.merge(told.source(), 1, Integer::sum);
      return 1;
    }
  }

  private record Told(String source, Loss loss) {}

  record Loss(String job, String phase, String cause) implements Comparable<Loss> {
    @Override
    public int compareTo(Loss other) {
      int jobs = job.compareTo(other.job);
      int phases = phase.compareTo(other.phase);
      return jobs != 0 ? jobs : phases != 0 ? phases : cause.compareTo(other.cause);
    }
  }

  record Lost(double seconds, double processSeconds) {
    Lost plus(Lost other) {
      return new Lost(seconds + other.seconds, processSeconds + other.processSeconds);
    }
  }

  /** What was lost to something in an hour, of a checkpoint. */
  record KeptLoss(Instant hour, Loss loss, Lost lost, String source) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    hours.forEach(
        (hour, all) ->
            all.lost.forEach(
                (told, it) ->
                    out.accept(
                        new KeptEntry.Thing(
                            "loss", new KeptLoss(hour, told.loss(), it, told.source())))));
  }

  void restore(KeptLoss kept) {
    int _ = hour(kept.hour()).put(new Told(kept.source(), kept.loss()), kept.lost());
  }

  private boolean knows(Instant hour, Told told) {
    Hour known = hours.get(hour);
    return known != null && known.lost.containsKey(told);
  }

  private Hour hour(Instant hour) {
    return hours.computeIfAbsent(hour, _ -> new Hour());
  }

  void told(@Nullable JobDescription before, JobDescription job, String source, Instant at) {
    if (before != null && before.losses().equals(job.losses())) {
      return;
    }
    long processes = job.members().processes();
    Instant now = at.truncatedTo(ChronoUnit.HOURS);
    int inAll = hours.values().stream().mapToInt(it -> it.kinds(source)).sum();
    for (JobLoss loss : job.losses()) {
      double known = before == null ? 0 : seconds(before.losses(), loss);
      double fresh = loss.seconds() - known;
      Told told = new Told(source, new Loss(job.job(), loss.phase(), loss.cause()));
      if (fresh > 0 && (inAll < MOST_IN_ALL || knows(now, told))) {
        inAll += hour(now).add(told, new Lost(fresh, fresh * processes));
      }
    }
    hours.headMap(at.minus(KEPT)).clear();
  }

  private static double seconds(List<JobLoss> losses, JobLoss like) {
    return losses.stream()
        .filter(it -> it.phase().equals(like.phase()) && it.cause().equals(like.cause()))
        .mapToDouble(JobLoss::seconds)
        .sum();
  }

  List<ClusterState.LostTime> since(Instant since) {
    Map<Loss, Lost> sums = new TreeMap<>();
    hours
        .tailMap(since.truncatedTo(ChronoUnit.HOURS))
        .values()
        .forEach(
            hour -> hour.lost.forEach((told, lost) -> sums.merge(told.loss(), lost, Lost::plus)));
    return sums.entrySet().stream()
        .map(
            it ->
                new ClusterState.LostTime(
                    it.getKey().job(),
                    it.getKey().phase(),
                    it.getKey().cause(),
                    it.getValue().seconds(),
                    it.getValue().processSeconds()))
        .toList();
  }
}
