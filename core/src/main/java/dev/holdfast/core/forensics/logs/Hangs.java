package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.logs.Signs.Victim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Only victims were heard: for whom did they wait?
 *
 * <p>Asked in this order, the first that has an answer gives it: what their watchdogs tell ({@link
 * Collectives}); whom NCCL's own service misses; which node is silent as a whole, which rank is;
 * whom the others name ({@link Accusations}); of whom there is no log. Else it cannot be told.
 */
final class Hangs {
  private static final int FEWEST = 3;

  private final Scene scene;
  private final Signs signs;
  private final List<String> evidence = new ArrayList<>();

  private final TreeSet<Integer> spoke = new TreeSet<>();

  /**
   * @param causes what ranks said of themselves that counts: who said it was not silent
   */
  Hangs(Scene scene, Signs signs, List<Sign> causes) {
    this.scene = scene;
    this.signs = signs;
    causes.forEach(sign -> spoke.addAll(sign.ranks()));
  }

  /** Whom they waited for; nobody is blamed where it cannot be told; empty: nobody waited. */
  Optional<LogSuspicion> judge() {
    boolean told =
        scene.reports.stream()
            .anyMatch(report -> !report.behind().isEmpty() || !report.missing().isEmpty());
    if (signs.victims.isEmpty() && !told) {
      return Optional.empty();
    }
    victims();
    Optional<Answer> answer =
        Collectives.of(scene)
            .or(this::service)
            .or(this::silent)
            .or(() -> Accusations.of(scene, signs))
            .or(this::absent);
    return Optional.of(answer.map(this::suspicion).orElseGet(this::unknown));
  }

  private void victims() {
    Map<String, List<Victim>> byRule = new TreeMap<>();
    for (Victim victim : signs.victims.values()) {
      byRule.computeIfAbsent(victim.rule().id(), _ -> new ArrayList<>()).add(victim);
    }
    byRule.values().stream()
        .sorted(Comparator.comparingInt(list -> -list.size()))
        .limit(3)
        .forEach(
            list -> {
              Victim first =
                  list.stream().min(Comparator.comparingLong(Victim::time)).orElseThrow();
              List<Integer> who =
                  list.stream()
                      .filter(victim -> victim.voice().known())
                      .map(victim -> victim.voice().rank)
                      .toList();
              evidence.add(
                  (who.isEmpty() ? "" : "ranks " + Ranks.show(who) + ", first ")
                      + Signs.where(first.voice(), first.said())
                      + ": "
                      + first.said().text());
            });
  }

  /** What {@code ncclras} said. */
  private Optional<Answer> service() {
    for (RasReport report : scene.reports) {
      boolean gone = !report.missing().isEmpty();
      TreeSet<Integer> who = gone ? report.missing() : report.behind();
      if (!who.isEmpty() && who.size() * 2 < report.world()) {
        return Optional.of(
            Answer.ranks(
                who,
                FailureClass.HANG,
                "",
                gone ? 0.7 : 0.65,
                gone
                    ? "did not answer NCCL's own service."
                    : "had launched fewer collectives than the others.",
                report.lines().stream().map(line -> report.file() + ": " + line).toList()));
      }
    }
    return Optional.empty();
  }

  /** Nothing was heard of them while the others complained. */
  private Optional<Answer> silent() {
    List<Voice> quiet =
        scene.ranks().stream()
            .filter(voice -> !signs.victims.containsKey(voice) && voice.asked() == null)
            .filter(voice -> !spoke.contains(voice.rank))
            .toList();
    if (quiet.isEmpty()) {
      return Optional.empty();
    }
    Optional<Answer> node = silentNode(quiet);
    if (node.isPresent()) {
      return node;
    }
    List<Voice> stopped = behind(quiet);
    List<Voice> suspects = stopped.isEmpty() ? quiet : stopped;
    for (Voice voice : suspects.subList(0, Math.min(4, suspects.size()))) {
      String step = voice.step() < 0 ? "" : ", its last step is " + voice.step();
      evidence.add("rank " + voice.rank + " wrote nothing of it" + step);
    }
    boolean one = suspects.size() == 1 && (!stopped.isEmpty() || scene.absent.isEmpty());
    if (!one || scene.ranks().size() < FEWEST) {
      return Optional.empty();
    }
    boolean waited =
        signs.victims.values().stream()
            .anyMatch(victim -> victim.rule().kind() == FailureClass.HANG);
    return Optional.of(
        Answer.ranks(
            List.of(suspects.getFirst().rank),
            waited ? FailureClass.HANG : FailureClass.UNKNOWN,
            "",
            stopped.isEmpty() ? 0.6 : 0.65,
            waited
                ? "did not run into the timeout: the others waited for it."
                : "ended or stood still without a word; the others lost their connection to it.",
            List.of()));
  }

  /**
   * Of the quiet ones, those that had done fewer steps. Only ranks that tell of their steps as
   * often as the others can be compared.
   */
  private List<Voice> behind(List<Voice> quiet) {
    long most = scene.ranks().stream().mapToLong(Voice::step).max().orElse(-1);
    long told = scene.ranks().stream().mapToLong(Voice::told).max().orElse(0);
    return quiet.stream()
        .filter(voice -> voice.step() >= 0 && voice.step() < most && voice.told() * 5 >= told * 4)
        .toList();
  }

  /** All ranks of one node are quiet, and only of that one. */
  private Optional<Answer> silentNode(List<Voice> quiet) {
    TreeSet<String> nodes = new TreeSet<>();
    quiet.forEach(voice -> nodes.add(voice.node));
    String node = nodes.first();
    List<Integer> all = scene.on(node);
    if (nodes.size() != 1
        || node.isEmpty()
        || scene.nodeNames().size() < 2
        || all.size() < 2
        || all.size() != quiet.size()) {
      return Optional.empty();
    }
    return Optional.of(
        Answer.node(
            node,
            FailureClass.LOST_NODE,
            "",
            0.6,
            "fell silent with all its ranks, " + Ranks.show(all) + ".",
            List.of("no rank of " + node + " wrote anything of it")));
  }

  /** All who were heard lost a connection, and of one rank there is no log. */
  private Optional<Answer> absent() {
    boolean fabric =
        signs.victims.values().stream().anyMatch(victim -> victim.rule().id().equals("nccl.ib"));
    boolean all = signs.victims.keySet().containsAll(scene.ranks());
    if (scene.absent.size() != 1 || fabric || !all || scene.ranks().size() <= FEWEST) {
      return Optional.empty();
    }
    return Optional.of(
        Answer.ranks(
            scene.absent,
            FailureClass.UNKNOWN,
            "",
            0.5,
            "left no log, and all others lost a connection or waited in vain.",
            List.of()));
  }

  private LogSuspicion unknown() {
    List<String> missing = new ArrayList<>();
    missing.add("flight recorder dumps of all ranks (holdfast diagnose DUMPDIR)");
    if (!scene.absent.isEmpty()) {
      missing.add("the logs of ranks " + Ranks.show(scene.absent));
    }
    if (scene.kernels.isEmpty()) {
      missing.add("the kernel logs of the nodes");
    }
    FailureRule most =
        signs.victims.values().stream()
            .min(Comparator.comparingLong(Victim::time))
            .map(Victim::rule)
            .or(() -> FailureRules.byId("peer.watchdog"))
            .orElseThrow();
    return new LogSuspicion(
        List.of(),
        "",
        -1,
        most.kind(),
        0.3,
        "Every rank that was heard complains of another one; which began cannot be told.",
        evidence,
        missing,
        Optional.empty(),
        most.id(),
        most.remedy());
  }

  private LogSuspicion suspicion(Answer answer) {
    evidence.addAll(answer.why());
    return new LogSuspicion(
        answer.ranks(),
        answer.node().isEmpty() ? scene.nodeOf(answer.ranks()) : answer.node(),
        -1,
        answer.kind(),
        answer.confidence(),
        answer.sentence(),
        evidence,
        List.of(
            answer.ranks().isEmpty()
                ? "what the scheduler and the node itself say"
                : "its stack (holdfast stacks) or its flight recorder dump"),
        Optional.empty(),
        answer.rule(),
        answer.ranks().isEmpty()
            ? "whether the node answers, its kernel log, its ports and cables (holdfast doctor)"
            : "its stack, its last lines, the kernel log of its node");
  }
}
