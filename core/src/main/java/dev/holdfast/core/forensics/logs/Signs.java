package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRule.Blame;
import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.logs.Sign.Strength;
import dev.holdfast.core.kernel.KernelEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what can be the beginning, and who only suffers.
 *
 * <p>A rank's best match is what it died of; what it survived (it went on to do steps) does not
 * count, nor what it said after it was asked to end.
 */
final class Signs {
  private static final long SECOND = 1_000_000;
  private static final int MOST_NAMED = 8;
  private static final long AROUND = 600 * SECOND;
  private static final long PASSED = 60 * SECOND;

  /** Where words name the node they are about: Ray's memory monitor, Slurm's controller. */
  private static final Pattern NODE =
      Pattern.compile(
          "(?:node \\(IP: |memory on (?:the )?node |update_node: node |Node IP: |slurmstepd-|node name: |Remote daemon.{1,60}on node |Node )(?!was |is |had |IP)([A-Za-z0-9][\\w.-]{1,252})");

  /** A row of {@code kubectl get nodes} or {@code sinfo}. */
  private static final Pattern ROW =
      Pattern.compile("^([A-Za-z0-9][\\w.-]{0,252}) +(?:NotReady|.*\\bdown\\*)");

  private static final Set<String> OF_NODE =
      Set.of(
          "host.oom-ray-node",
          "host.oom-slurm",
          "host.oom-kubelet",
          "job.node-down",
          "job.node-gone",
          "job.node-named",
          "job.node-failure");

  private static final Pattern PID = Pattern.compile("(?:pid=|[Pp]rocess |pid )'?(\\d{1,10})");

  final List<Sign> causes = new ArrayList<>();

  /** Who complains of others only, and the words. */
  final Map<Voice, Victim> victims = new LinkedHashMap<>();

  private final Scene scene;
  private final long progress;
  private final Map<Integer, Voice> byPid = new HashMap<>();
  private final Map<String, Voice> byBus = new HashMap<>();

  /**
   * A rank that complains of another one.
   *
   * @param time corrected
   */
  record Victim(Voice voice, FailureRule rule, long time, Said said) {}

  Signs(Scene scene) {
    this.scene = scene;
    progress = scene.progress();
    for (Voice voice : scene.ranks()) {
      voice
          .nccl()
          .forEach(
              facts -> {
                byPid.putIfAbsent(facts.pid, voice);
                String bus = NcclFacts.pci(facts.busId);
                if (!bus.isEmpty()) {
                  byBus.putIfAbsent(voice.node + " " + bus, voice);
                }
              });
    }
    scene.voices.forEach(this::ofVoice);
    scene.kernels.forEach(this::ofKernel);
    ofEndings();
    if (!victims.isEmpty() || causes.size() > 1) {
      // How C++ ends a process says nothing beside why.
      causes.removeIf(sign -> sign.rule().equals("any.terminate") || sign.rule().equals("any.mpi"));
    }
  }

  private void ofVoice(Voice voice) {
    FailureRule best = null;
    int bestRow = Integer.MAX_VALUE;
    Said words = null;
    long first = Long.MAX_VALUE;
    for (Speaker speaker : voice.speakers) {
      for (Match match : speaker.matches) {
        Said said = voice.fatal(speaker, match, progress);
        if (said == null) {
          continue;
        }
        FailureRule rule = match.rule();
        FailureRule before = best;
        boolean stronger = before == null || rule.weight().compareTo(before.weight()) < 0;
        boolean counts = before == null || stronger || rule.weight() == before.weight();
        boolean better = stronger || (counts && match.row < bestRow);
        if (stronger) {
          first = Long.MAX_VALUE;
        }
        if (better) {
          best = rule;
          bestRow = match.row;
          words = said;
        }
        if (counts && said.time() != Stamp.NONE) {
          first = Math.min(first, voice.corrected(said.time()));
        }
      }
    }
    if (best == null || words == null) {
      return;
    }
    long time = first == Long.MAX_VALUE ? Stamp.NONE : first;
    Said asked = voice.asked();
    boolean after =
        asked != null
            && !best.id().startsWith("job.")
            && (asked.file().equals(words.file())
                ? asked.line() < words.line()
                : asked.time() != Stamp.NONE
                    && words.time() != Stamp.NONE
                    && asked.time() + SECOND < words.time());
    if (best.weight() == Weight.VICTIM || after) {
      victims.put(voice, new Victim(voice, best, time, words));
    } else {
      causes.add(sign(voice, best, time, words));
    }
  }

  /** Lines of schedulers and kernels in a rank's output are not about that rank. */
  private static boolean aboutItself(FailureRule rule) {
    return !rule.id().startsWith("job.")
        && !rule.id().equals("host.oom-slurm")
        && !rule.id().equals("host.oom-kernel");
  }

  /** The node the words name, where they are about one; else that of who says it. */
  private static String node(Voice voice, FailureRule rule, Said said) {
    Matcher named = NODE.matcher(said.text());
    Matcher row = ROW.matcher(said.text());
    if (OF_NODE.contains(rule.id()) && (row.find() || named.find())) {
      return Scene.shortName(row.hasMatch() ? row.group(1) : named.group(1));
    }
    return rule.id().startsWith("job.") ? "" : voice.node;
  }

  /**
   * Whom the launcher names in the file where somebody unnamed failed: the first that failed, or
   * the only one. Who was killed did not write a traceback before.
   */
  private List<Integer> named(Voice voice, FailureRule rule, Said said) {
    boolean memory = rule.kind() == FailureClass.HOST_OUT_OF_MEMORY;
    if (voice.gpu() >= 0 || !memory && !aboutItself(rule)) {
      return List.of();
    }
    List<Ending> ends =
        scene.endings.stream()
            .filter(end -> end.said().file().equals(said.file()) && !end.nodeLost())
            .filter(end -> end.ranks().size() == 1)
            .toList();
    List<Ending> own =
        ends.stream().filter(end -> end.signal() != 15 && end.exitCode() != 143).toList();
    Ending end =
        own.stream().filter(Ending::root).findFirst().orElse(own.isEmpty() ? null : own.getFirst());
    boolean same =
        end != null
            && own.stream()
                .allMatch(it -> it.signal() == end.signal() && it.exitCode() == end.exitCode());
    if (end == null || !end.root() && !same) {
      return List.of();
    }
    if (!end.root()) {
      List<Integer> all = own.stream().flatMap(it -> it.ranks().stream()).distinct().toList();
      return end.byItself() && !memory || all.size() > MOST_NAMED ? List.of() : all;
    }
    return end.byItself() && !memory ? List.of() : end.ranks();
  }

  private static double surety(FailureRule rule) {
    if (rule.weight() != Weight.GENERIC) {
      return 0.9;
    }
    return rule.kind() == FailureClass.UNKNOWN ? 0.5 : 0.8;
  }

  private static List<Integer> ranks(Voice voice, FailureRule rule, List<Integer> launcher) {
    List<Integer> named =
        rule.id().equals("code.mismatch")
            ? voice.speakers.stream().flatMap(one -> one.differing.stream()).distinct().toList()
            : List.of();
    if (!named.isEmpty()) {
      return named;
    }
    return voice.known() && aboutItself(rule) ? List.of(voice.rank) : launcher;
  }

  private Sign sign(Voice voice, FailureRule rule, long time, Said said) {
    List<Integer> launcher = voice.known() ? List.of() : named(voice, rule, said);
    boolean generic = rule.weight() == Weight.GENERIC;
    Strength strength =
        rule.id().equals("job.cancelled")
            ? Strength.CANCELLED
            : generic
                ? Strength.GENERIC
                : rule.blame() == Blame.NODE || rule.blame() == Blame.RANK
                    ? Strength.DEVICE
                    : Strength.CAUSE;
    return new Sign(
        time,
        said.exact(),
        strength,
        ranks(voice, rule, launcher),
        node(voice, rule, said),
        aboutItself(rule) ? voice.gpu() : -1,
        rule.kind(),
        rule.id(),
        rule.blame(),
        surety(rule) - (launcher.isEmpty() ? 0 : 0.15),
        said.text(),
        launcher.isEmpty()
            ? where(voice, said)
            : "rank " + launcher.getFirst() + " by its launcher (" + said.place() + ")",
        rule.meaning(),
        rule.remedy());
  }

  static String where(Voice voice, Said said) {
    int gpu = voice.gpu();
    String who = gpu < 0 ? "a line without a rank" : "GPU " + gpu;
    return (voice.known() ? "rank " + voice.rank : who)
        + (voice.node.isEmpty() ? "" : " on " + voice.node)
        + " ("
        + said.place()
        + ")";
  }

  private void ofKernel(KernelNotes kernel) {
    String node = Scene.shortName(kernel.node());
    for (KernelEvent event : kernel.events()) {
      if (!KernelNotes.serious(event)) {
        continue;
      }
      long time = event.first().map(Signs::micros).orElse(Stamp.NONE);
      boolean timed = time != Stamp.NONE;
      long corrected = timed ? time - scene.clocks.offset(node) : time;
      if (timed && outside(corrected)) {
        continue;
      }
      FailureClass kind = KernelNotes.kind(event);
      Voice owner = owner(node, event);
      boolean soft =
          kind == FailureClass.STORAGE
              || kind == FailureClass.NCCL_ERROR
              || kind == FailureClass.UNKNOWN;
      causes.add(
          new Sign(
              corrected,
              true,
              KernelNotes.ofProgram(event) ? Strength.GENERIC : Strength.MACHINE,
              owner == null ? List.of() : List.of(owner.rank),
              node,
              -1,
              kind,
              "kernel." + event.rule(),
              Blame.NODE,
              !timed || KernelNotes.ofProgram(event) ? 0.6 : soft ? 0.75 : 0.9,
              event.summary() + ": " + event.line(),
              "kernel of " + (node.isEmpty() ? "a node" : node) + " (" + kernel.file() + ")",
              event.meaning(),
              event.remedy()));
    }
  }

  /** Before or long after the run, or the run went on for a minute. */
  private boolean outside(long time) {
    long begin = scene.begin();
    long end = scene.end();
    return (begin != Stamp.NONE && time < begin - AROUND)
        || (end != Stamp.NONE && time > end + AROUND)
        || (progress != Stamp.NONE
            && progress > time + (scene.clocks.compared() ? PASSED : 5 * PASSED));
  }

  private @Nullable Voice owner(String node, KernelEvent event) {
    String device = event.device();
    if (device.length() >= 10) {
      Voice voice = byBus.get(node + " " + device.substring(0, 10));
      if (voice != null) {
        return voice;
      }
    }
    Matcher pid = PID.matcher(event.line());
    if (pid.find() && pid.group(1).length() < 10) {
      Voice voice = byPid.get(Integer.parseInt(pid.group(1)));
      return voice != null && voice.node.equals(node) ? voice : null;
    }
    return null;
  }

  private void ofEndings() {
    Set<String> begun = new HashSet<>();
    for (Ending ending : scene.endings) {
      boolean first = begun.add(ending.said().file());
      if (ending.nodeLost()) {
        causes.add(ended(ending, Strength.MACHINE, FailureClass.LOST_NODE, "job.node-down", 0.9));
      } else if (ending.memory()) {
        causes.add(
            ended(ending, Strength.CAUSE, FailureClass.HOST_OUT_OF_MEMORY, "host.oom-slurm", 0.85));
      } else if (few(ending) && (first || ending.root()) && !speaks(ending)) {
        String rule =
            switch (ending.signal()) {
              case 9 -> "signal.kill";
              case 7 -> "signal.bus";
              case 6 -> "signal.abort";
              default -> ending.byItself() ? "signal.segv" : "exit.other";
            };
        boolean asked = ending.signal() == 15 || ending.exitCode() == 143;
        if (!asked) {
          FailureClass kind =
              FailureRules.byId(rule).map(FailureRule::kind).orElse(FailureClass.UNKNOWN);
          Strength strength = ending.byItself() ? Strength.ENDED : Strength.GENERIC;
          causes.add(ended(ending, strength, kind, rule, ending.byItself() ? 0.65 : 0.5));
        }
      }
    }
  }

  private boolean few(Ending ending) {
    return !ending.ranks().isEmpty() && ending.ranks().size() <= Math.max(1, scene.world / 4);
  }

  /** Its own words say more than the way it ended; a victim's end is a consequence. */
  private boolean speaks(Ending ending) {
    boolean victim =
        !ending.byItself()
            && victims.keySet().stream().anyMatch(voice -> ending.ranks().contains(voice.rank));
    return victim
        || causes.stream()
            .anyMatch(sign -> sign.ranks().stream().anyMatch(ending.ranks()::contains));
  }

  private Sign ended(
      Ending ending, Strength strength, FailureClass kind, String rule, double confidence) {
    FailureRule row = FailureRules.byId(rule).orElseThrow();
    Said said = ending.said();
    return new Sign(
        said.exact() ? said.time() : Stamp.NONE,
        said.exact(),
        strength,
        ending.ranks(),
        ending.node().isEmpty() ? scene.nodeOf(ending.ranks()) : Scene.shortName(ending.node()),
        -1,
        kind,
        rule,
        row.blame(),
        confidence,
        said.text(),
        said.place(),
        row.meaning(),
        row.remedy());
  }

  private static long micros(Instant time) {
    return time.getEpochSecond() * SECOND + time.getNano() / 1000;
  }
}
