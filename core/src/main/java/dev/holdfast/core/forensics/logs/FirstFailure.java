package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule.Blame;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.logs.Sign.Strength;
import dev.holdfast.core.forensics.logs.Signs.Victim;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of all the signs was first?
 *
 * <ol>
 *   <li>Signs within {@link #TOGETHER} of the first one, and as much more as clocks are unsure,
 *       count as one moment. Among them the kernel goes before ranks, a rank that names a cause
 *       before one that just ended. Signs without a time belong to that moment if they are strong.
 *   <li>A sign that comes after ranks had already waited out a timeout is no beginning: they waited
 *       for something else. Then {@link Hangs} is asked.
 *   <li>What the kernel log of the same node says within minutes explains a CUDA error better than
 *       the error itself.
 *   <li>Without any sign only victims were heard: {@link Hangs}.
 * </ol>
 */
final class FirstFailure {
  private static final long SECOND = 1_000_000;

  /** Lines of the same moment are written so far apart. */
  static final long TOGETHER = 3 * SECOND / 2;

  private static final long MOST_UNSURE = 30 * SECOND;
  private static final long NEAR = 300 * SECOND;
  private static final int MOST_SUSPICIONS = 4;

  private final Scene scene;
  private final Signs signs;
  private final long unsure;

  private FirstFailure(Scene scene, Signs signs) {
    this.scene = scene;
    this.signs = signs;
    long clocks = scene.clocks.compared() ? 2 * scene.clocks.uncertainty() : 2 * SECOND;
    unsure = Math.min(MOST_UNSURE, clocks);
  }

  static List<LogSuspicion> of(Scene scene, Signs signs) {
    return new FirstFailure(scene, signs).suspicions();
  }

  private List<LogSuspicion> suspicions() {
    List<LogSuspicion> all = new ArrayList<>();
    List<Sign> causes = new ArrayList<>(signs.causes);
    boolean others = causes.stream().anyMatch(sign -> sign.strength() != Strength.CANCELLED);
    if (others || !signs.victims.isEmpty()) {
      causes.removeIf(sign -> sign.strength() == Strength.CANCELLED);
    }
    long waited = firstTimeout();
    boolean late =
        waited != Stamp.NONE
            && !causes.isEmpty()
            && causes.stream()
                .allMatch(sign -> sign.timed() && sign.time() > waited + unsure + SECOND);
    Optional<LogSuspicion> hang = new Hangs(scene, signs, late ? List.of() : causes).judge();
    if (late) {
      hang.filter(LogSuspicion::blames).ifPresent(all::add);
    }
    while (!causes.isEmpty() && all.size() < MOST_SUSPICIONS) {
      List<Sign> moment = moment(causes);
      Sign root = moment.getFirst();
      List<Sign> same = moment.stream().filter(sign -> sign.alike(root)).toList();
      LogSuspicion one = suspicion(root, same, moment, all.size(), late);
      all.add(one);
      causes.removeIf(
          sign ->
              sign.alike(root)
                  || (sign.ranks().isEmpty()
                      ? sign.node().equals(one.node())
                      : one.ranks().containsAll(sign.ranks())));
    }
    if (!late || all.isEmpty()) {
      hang.filter(one -> all.isEmpty() || one.blames() && fresh(one, all))
          .map(one -> all.isEmpty() ? one : lowered(one))
          .ifPresent(all::add);
    }
    if (all.isEmpty()) {
      all.add(nothing());
    }
    return all;
  }

  /** Whether it names somebody who is not suspected already. */
  private static boolean fresh(LogSuspicion one, List<LogSuspicion> all) {
    return all.stream()
        .noneMatch(
            other ->
                one.ranks().isEmpty()
                    ? other.node().equals(one.node())
                    : other.ranks().containsAll(one.ranks()));
  }

  private long firstTimeout() {
    return signs.victims.values().stream()
        .filter(victim -> victim.rule().kind() == FailureClass.HANG)
        .mapToLong(Victim::time)
        .filter(time -> time != Stamp.NONE)
        .min()
        .orElse(Stamp.NONE);
  }

  /** The signs of the first moment, strongest first. */
  private List<Sign> moment(List<Sign> causes) {
    long first = causes.stream().filter(Sign::timed).mapToLong(Sign::time).min().orElse(Stamp.NONE);
    return causes.stream()
        .filter(
            sign ->
                sign.timed()
                    ? sign.time() <= first + TOGETHER + unsure
                    : first == Stamp.NONE || sign.strength().compareTo(Strength.GENERIC) < 0)
        .sorted(
            Comparator.comparing(Sign::strength)
                .thenComparing(sign -> sign.kind() == FailureClass.LOST_NODE)
                .thenComparing(sign -> !sign.timed())
                .thenComparingLong(Sign::time)
                .thenComparing(sign -> sign.ranks().isEmpty() ? -1 : sign.ranks().getFirst()))
        .toList();
  }

  private LogSuspicion suspicion(
      Sign root, List<Sign> same, List<Sign> moment, int before, boolean late) {
    TreeSet<Integer> ranks = new TreeSet<>();
    TreeSet<String> nodes = new TreeSet<>();
    for (Sign sign : same) {
      ranks.addAll(sign.ranks());
      nodes.add(sign.node());
    }
    Sign better = explained(root, nodes);
    boolean local = better.blame() == Blame.NODE || better.blame() == Blame.RANK;
    boolean byMemory = better.kind() == FailureClass.HOST_OUT_OF_MEMORY;
    if (better.strength() == Strength.MACHINE && ranks.isEmpty()) {
      ranks.addAll(gpuRanks(better));
    }
    int gpu = ranks.isEmpty() ? sameGpu(same) : -1;
    String node = (local || byMemory || gpu >= 0) && nodes.size() == 1 ? nodes.first() : "";
    if (byMemory && ranks.isEmpty() && !node.isEmpty()) {
      ranks.addAll(quiet(node));
    }
    List<String> evidence = new ArrayList<>();
    evidence.add(told(better));
    same.stream().filter(sign -> sign != better).limit(3).forEach(sign -> evidence.add(told(sign)));
    if (same.size() > 4) {
      evidence.add(same.size() + " say the same: ranks " + Ranks.show(ranks));
    }
    moment.stream()
        .filter(sign -> !sign.alike(root) && sign != better)
        .limit(2)
        .forEach(sign -> evidence.add("in the same moment: " + told(sign)));
    victims(evidence, ranks);
    boolean disputed =
        moment.stream()
            .anyMatch(
                sign ->
                    !sign.alike(root)
                        && sign.strength() == root.strength()
                        && !sign.node().equals(root.node()));
    List<String> missing = new ArrayList<>();
    double confidence = better.confidence();
    if (better != root) {
      confidence = Math.max(confidence, 0.95);
    }
    if (disputed) {
      confidence -= 0.25;
      missing.add("others failed differently in the same moment");
    }
    if (!root.timed() && signs.causes.size() > same.size()) {
      confidence -= 0.1;
      missing.add("a time on the lines that tell of it");
    }
    if (!scene.clocks.compared() && scene.nodeNames().size() > 1 && moment.size() > same.size()) {
      confidence -= 0.1;
      missing.add("steps told by ranks of every node, to compare their clocks");
    }
    if (late) {
      confidence = Math.min(confidence, 0.35);
      missing.add("ranks had waited out a timeout before this");
    }
    for (int i = 0; i < before; i++) {
      confidence = Math.min(confidence, 0.3) * 0.8;
    }
    return new LogSuspicion(
        List.copyOf(ranks),
        node,
        node.isEmpty() ? -1 : gpu,
        better.kind(),
        round(confidence),
        sentence(better, ranks, node, gpu),
        evidence,
        missing,
        instant(same.stream().filter(Sign::timed).mapToLong(Sign::time).min().orElse(Stamp.NONE)),
        better.rule(),
        better.remedy());
  }

  /** The kernel of the same node, where it says more than the rank does. */
  private Sign explained(Sign root, Set<String> nodes) {
    boolean device =
        root.kind() == FailureClass.CUDA_ERROR
            || root.kind() == FailureClass.NCCL_ERROR
            || root.kind() == FailureClass.LOST_GPU
            || root.kind() == FailureClass.ECC
            || root.kind() == FailureClass.UNKNOWN
            || root.strength().compareTo(Strength.ENDED) >= 0;
    if (root.strength() == Strength.MACHINE || nodes.size() != 1 || !device) {
      return root;
    }
    return signs.causes.stream()
        .filter(sign -> sign.strength() == Strength.MACHINE && sign.node().equals(root.node()))
        .filter(
            sign -> !sign.timed() || !root.timed() || Math.abs(sign.time() - root.time()) <= NEAR)
        .min(Comparator.comparingLong(Sign::time))
        .orElse(root);
  }

  /** Whose GPU the kernel speaks of, told by who failed on the node. */
  private List<Integer> gpuRanks(Sign machine) {
    TreeSet<Integer> ranks = new TreeSet<>();
    for (Sign sign : signs.causes) {
      boolean near =
          !sign.timed() || !machine.timed() || Math.abs(sign.time() - machine.time()) <= NEAR;
      boolean here =
          sign.node().equals(machine.node())
              || (sign.node().isEmpty() && sign.strength() == Strength.DEVICE);
      boolean own = sign.strength() != Strength.MACHINE && sign.strength() != Strength.CANCELLED;
      if (near && here && own) {
        ranks.addAll(sign.ranks());
      }
    }
    return List.copyOf(ranks);
  }

  /** Who of a node ended without a word: the kernel kills without asking. */
  private List<Integer> quiet(String node) {
    TreeSet<Integer> ranks = new TreeSet<>(scene.on(node));
    signs.victims.keySet().forEach(voice -> ranks.remove(voice.rank));
    signs.causes.forEach(sign -> ranks.removeAll(sign.ranks()));
    return ranks.size() == 1 ? List.copyOf(ranks) : List.of();
  }

  private void victims(List<String> evidence, Set<Integer> ranks) {
    List<Victim> others =
        signs.victims.values().stream()
            .filter(victim -> !ranks.contains(victim.voice().rank))
            .sorted(Comparator.comparingLong(Victim::time))
            .toList();
    if (!others.isEmpty()) {
      Victim first = others.getFirst();
      List<Integer> who =
          others.stream().filter(v -> v.voice().known()).map(v -> v.voice().rank).toList();
      evidence.add(
          "consequence: "
              + (who.isEmpty() ? "" : Ranks.named(who) + ", ")
              + "first "
              + at(first.time(), first.said().exact())
              + first.said().text());
    }
  }

  private String told(Sign sign) {
    return sign.where() + " " + at(sign.time(), sign.exact()) + sign.says();
  }

  /** A line without a time of its own came after the one before it. */
  private static String at(long time, boolean exact) {
    return time == Stamp.NONE ? "" : (exact ? "at " : "after ") + Times.show(moment(time)) + ": ";
  }

  /** The one GPU all of them are about, −1: they are about several, or none is named. */
  private static int sameGpu(List<Sign> same) {
    List<Integer> gpus = same.stream().map(Sign::gpu).distinct().toList();
    return gpus.size() == 1 ? gpus.getFirst() : -1;
  }

  private static String nobody(Sign root) {
    return root.rule().startsWith("kernel.") ? "The node of this kernel" : "The job";
  }

  private static String sentence(Sign root, Set<Integer> ranks, String node, int gpu) {
    String who =
        ranks.isEmpty()
            ? node.isEmpty()
                ? nobody(root)
                : gpu < 0 ? "Node " + node : "GPU " + gpu + " of " + node
            : (ranks.size() == 1 ? "Rank " : "Ranks ")
                + Ranks.show(ranks)
                + (node.isEmpty() ? "" : " on " + node);
    return who + ": " + root.meaning();
  }

  private static LogSuspicion lowered(LogSuspicion one) {
    return new LogSuspicion(
        one.ranks(),
        one.node(),
        one.gpu(),
        one.kind(),
        Math.min(0.25, one.confidence()),
        one.what(),
        one.evidence(),
        one.missing(),
        one.when(),
        one.rule(),
        one.next());
  }

  private LogSuspicion nothing() {
    List<String> missing = new ArrayList<>();
    missing.add("a line that tells of a failure");
    if (!scene.absent.isEmpty()) {
      missing.add("the logs of ranks " + Ranks.show(scene.absent));
    }
    return new LogSuspicion(
        List.of(),
        "",
        -1,
        FailureClass.UNKNOWN,
        0.1,
        "Nothing in the logs tells of a failure.",
        List.of(),
        missing,
        Optional.empty(),
        "",
        "the last lines of all ranks, flight recorder dumps, stacks, the kernel logs of all nodes");
  }

  static Optional<Instant> instant(long micros) {
    return micros == Stamp.NONE ? Optional.empty() : Optional.of(moment(micros));
  }

  private static Instant moment(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static double round(double value) {
    return Math.round(Math.clamp(value, 0.05, 0.99) * 100) / 100.0;
  }
}
