package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.RankActivity;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How is each rank of this node, as {@code /proc} tells it? Needs no right beyond that of the
 * ranks' own user.
 *
 * <p>Asked once a second, and must not be felt: the counters of a rank's main process are read each
 * time, those of its other processes every few seconds, and who these are is found by a scan whose
 * pauses grow with what it costs. What costs more (where threads wait) is read only of ranks that
 * seem to do nothing.
 *
 * <p>Not for several threads at once.
 */
public final class RankSampler implements Closeable {
  private final Path proc;
  private final Relatives relatives;
  private final Map<Integer, SampledRank> ranks = new TreeMap<>();

  public RankSampler() {
    this(Path.of("/proc"));
  }

  RankSampler(Path proc) {
    this.proc = proc;
    this.relatives = new Relatives(proc);
  }

  /**
   * One look at a rank.
   *
   * @param state as in {@link RankActivity}; {@code X} when the process is gone
   * @param processes how many processes belong to it, itself included
   * @param threads of its main process
   */
  public record Sample(
      int rank,
      long pid,
      char state,
      double cpuSeconds,
      long ioBytes,
      int processes,
      int threads,
      String waitsIn) {

    public boolean alive() {
      return state != ProcStat.GONE && state != 'Z' && state != 'x';
    }

    /** Together with what the rank itself told. */
    public RankActivity activity(long outputBytes, Beats beats) {
      return new RankActivity(
              rank,
              pid,
              state,
              cpuSeconds,
              ioBytes,
              outputBytes,
              beats.step(),
              beats.count(),
              beats.phase(),
              "",
              waitsIn)
          .saved(beats.checkpoints());
    }
  }

  /** From now on the rank is this process and all it starts; its session too if it leads one. */
  public void watch(int rank, long pid) {
    SampledRank old = ranks.put(rank, new SampledRank(proc, rank, pid));
    if (old != null) {
      old.close();
    }
    relatives.scanSoon();
  }

  public void forget(int rank) {
    SampledRank old = ranks.remove(rank);
    if (old != null) {
      old.close();
    }
  }

  /** When the watched process of the rank began, in clock ticks since boot; −1 when gone. */
  public long started(int rank) {
    SampledRank known = ranks.get(rank);
    return known == null ? -1 : known.started();
  }

  /** Looks at every rank, in order. */
  public List<Sample> sample(long nowNanos) {
    relatives.scanIfDue(nowNanos, ranks.values());
    List<Sample> samples = new ArrayList<>(ranks.size());
    for (SampledRank rank : ranks.values()) {
      samples.add(rank.sample(nowNanos));
    }
    return samples;
  }

  @Override
  public void close() {
    ranks.values().forEach(SampledRank::close);
    ranks.clear();
  }
}
