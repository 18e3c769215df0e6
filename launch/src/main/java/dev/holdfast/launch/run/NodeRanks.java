package dev.holdfast.launch.run;

import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.supervise.RankSpec;
import dev.holdfast.launch.watch.Beat;
import dev.holdfast.launch.watch.Beats;
import dev.holdfast.launch.watch.CollectiveWatch;
import dev.holdfast.launch.watch.FlightRecorder;
import dev.holdfast.launch.watch.GpuWatch;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.launch.watch.RankDevice;
import dev.holdfast.launch.watch.RankSampler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The ranks this node runs in the present attempt, and what can be seen of them. */
final class NodeRanks {
  private final String beatPattern;
  private final Map<String, String> inherited;
  private final RankSampler sampler = new RankSampler();
  private final GpuWatch devices;
  private final CollectiveWatch collectives = new CollectiveWatch();
  private List<FlightRecorder> recorders = List.of();
  private final Map<Integer, NodeRank> ranks = new TreeMap<>();
  private int attempt = -1;

  /**
   * @param inherited the environment that ranks get beside their own
   */
  NodeRanks(String beatPattern, Map<String, String> inherited) {
    this.beatPattern = beatPattern;
    this.inherited = inherited;
    this.devices = new GpuWatch(inherited);
  }

  /** Others than before are to be started. */
  void begin(int newAttempt, List<RankSpec> specs) {
    ranks.keySet().forEach(sampler::forget);
    ranks.clear();
    attempt = newAttempt;
    long now = System.nanoTime();
    List<FlightRecorder> theirs = new ArrayList<>();
    for (RankSpec spec : specs) {
      Map<String, String> environment = new HashMap<>(inherited);
      environment.putAll(spec.environment());
      String device = RankDevice.of(environment);
      ranks.put(spec.rank(), new NodeRank(spec, beatPattern, device, now));
      FlightRecorder.of(spec.rank(), environment).ifPresent(theirs::add);
    }
    recorders = List.copyOf(theirs);
    collectives.attemptBegins(recorders);
  }

  int attempt() {
    return attempt;
  }

  /** The furthest step of an attempt that its ranks on this node told of, −1: none. */
  long step(int of) {
    return of == attempt() ? all().stream().mapToLong(NodeRank::step).max().orElse(-1) : -1;
  }

  List<NodeRank> all() {
    return List.copyOf(ranks.values());
  }

  boolean allRun() {
    return ranks.values().stream().allMatch(rank -> rank.pid() > 0 && rank.exit() == null);
  }

  /** Whether all have ended, and well. */
  boolean allDone() {
    return ranks.values().stream()
        .map(NodeRank::exit)
        .allMatch(it -> it != null && it.exitCode() == 0 && it.signal() == 0);
  }

  /** The rank, if it belongs to the present attempt. */
  Optional<NodeRank> of(int ofAttempt, int rank) {
    return ofAttempt == attempt ? Optional.ofNullable(ranks.get(rank)) : Optional.empty();
  }

  void started(NodeRank rank, long pid) {
    rank.started(pid);
    sampler.watch(rank.rank(), pid);
  }

  /** It was started when another process looked; what it told that one is not told again. */
  void found(NodeRank rank, long pid) {
    started(rank, pid);
    rank.beats();
  }

  void exited(NodeRank rank) {
    sampler.forget(rank.rank());
  }

  /** Those that run, for a closer look. */
  List<ProcEvidence.Rank> present() {
    return ranks.values().stream()
        .filter(rank -> rank.pid() > 0 && rank.exit() == null)
        .map(
            rank ->
                new ProcEvidence.Rank(
                    rank.rank(),
                    rank.pid(),
                    sampler.started(rank.rank()),
                    Optional.of(rank.folder().resolve("stacks.txt"))))
        .toList();
  }

  /** The others, with what became of them. */
  List<ProcEvidence.Seen> absent() {
    return ranks.values().stream()
        .filter(rank -> rank.pid() <= 0 || rank.exit() != null)
        .map(
            rank ->
                ProcEvidence.Seen.without(
                    rank.rank(),
                    rank.exit() == null ? "it was not started yet" : "its process has ended"))
        .toList();
  }

  /** Looks at all that run. */
  List<RankActivity> look(long nowNanos, BiConsumer<Integer, List<Beat>> told) {
    List<RankActivity> seen = new ArrayList<>();
    long signs = 0;
    boolean inPhase = false;
    Instant wall = Instant.now();
    double ahead = nowNanos / 1e9 - wall.getEpochSecond() - wall.getNano() / 1e9;
    for (RankSampler.Sample sample : sampler.sample(nowNanos)) {
      NodeRank rank = ranks.get(sample.rank());
      if (rank != null && rank.exit() == null && sample.alive()) {
        Beats beats = rank.beats();
        told.accept(rank.rank(), beats.fresh());
        rank.stepped(beats.fresh(), ahead, nowNanos);
        RankActivity activity =
            sample
                .activity(rank.outputBytes(), beats)
                .with(
                    devices.of(rank.device()),
                    collectives.collective(rank.rank()),
                    rank.stepTimes());
        signs += beats.count() + rank.outputBytes();
        inPhase |= !beats.phase().isEmpty();
        rank.active(activity, nowNanos);
        seen.add(activity);
      }
    }
    if (!seen.isEmpty() && !inPhase) {
      collectives.second(nowNanos / 1e9, signs);
    }
    return seen;
  }

  /** What could be asked for the ranks' collectives. */
  List<FlightRecorder> recorders() {
    return recorders;
  }
}
