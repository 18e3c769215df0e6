package dev.holdfast.launch.watch;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.job.RankActivity;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Watches ranks that somebody else started, with the same rules as for our own. It sees no output
 * of theirs, so steps come from a beat file if there is one, and signs of life from what they read
 * and write.
 *
 * <p>Not for several threads at once.
 */
public final class Attachment implements Closeable {
  private final List<AttachedRank> ranks;
  private final RankSampler sampler = new RankSampler();
  private final GpuWatch devices = new GpuWatch(System.getenv());
  private final Map<Integer, String> deviceOf = new HashMap<>();
  private final Map<Integer, BeatReader> beats = new HashMap<>();
  private final NumericsWatch numerics = new NumericsWatch();
  private final HangDetector detector;
  private final StragglerDetector stragglers;
  private List<RankSampler.Sample> last = List.of();

  public Attachment(List<AttachedRank> ranks, HangRule rule) {
    this.ranks = List.copyOf(ranks);
    this.detector = new HangDetector(rule);
    this.stragglers =
        new StragglerDetector(ranks.stream().map(AttachedRank::rank).toList(), _ -> "");
    for (AttachedRank rank : ranks) {
      sampler.watch(rank.rank(), rank.pid());
      deviceOf.put(rank.rank(), rank.device());
      rank.beatFile().ifPresent(file -> beats.put(rank.rank(), BeatReader.ofFile(file)));
    }
  }

  /** Looks once; to be called about once a second. */
  public List<Diagnosis> look(long nowNanos) {
    List<RankActivity> activities = new ArrayList<>();
    List<Diagnosis> found = new ArrayList<>();
    last = sampler.sample(nowNanos);
    for (RankSampler.Sample sample : last) {
      BeatReader reader = beats.get(sample.rank());
      Beats told = reader == null ? Beats.NONE : reader.look();
      numerics.look(sample.rank(), told.fresh(), nowNanos);
      told.fresh().stream()
          .filter(beat -> beat.step() >= 0)
          .forEach(beat -> stragglers.arrived(sample.rank(), beat.step(), beat.seconds()));
      if (sample.alive()) {
        activities.add(
            sample
                .activity(-1, told)
                .with(devices.of(deviceOf.getOrDefault(sample.rank(), "")), -1, List.of()));
      }
    }
    found.addAll(numerics.found(nowNanos));
    Optional<Diagnosis> hang = detector.look(nowNanos, activities);
    hang.ifPresent(found::add);
    if (activities.size() == ranks.size()) {
      stragglers.worked(activities);
    }
    return found;
  }

  /** How each rank was at the last look. */
  public List<RankSampler.Sample> samples() {
    return last;
  }

  public boolean ended() {
    return !last.isEmpty() && last.stream().noneMatch(RankSampler.Sample::alive);
  }

  public List<StragglerDetector.Straggler> stragglers() {
    return stragglers.stragglers();
  }

  /**
   * What can be seen of them now, within the limit.
   *
   * @param ask whether to send ranks that offer it the signal for their stacks
   */
  public List<ProcEvidence.Seen> evidence(Duration limit, boolean ask) {
    return ProcEvidence.collect(
        ranks.stream()
            .map(
                rank ->
                    new ProcEvidence.Rank(
                        rank.rank(),
                        rank.pid(),
                        sampler.started(rank.rank()),
                        ask ? rank.stackFile() : Optional.empty()))
            .toList(),
        limit);
  }

  @Override
  public void close() {
    devices.close();
    sampler.close();
  }
}
