package dev.holdfast.launch.watch;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.ProcessState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of ranks that seem stuck, without any right to trace them: state, where each
 * thread waits, CPU time, open files, the kernel's stack where it may be read, and the stacks of
 * Python threads.
 *
 * <p>For the last a signal is sent, and only when all of this holds: the process is the one meant
 * (same start time), it runs or sleeps, it has a handler for the signal, and it has itself written
 * to its stack file that it answers that signal with its stacks. All ranks are asked together, so
 * that the whole takes no longer than the slowest, and never longer than the limit.
 */
public final class ProcEvidence {
  private static final int MOST_THREADS = 512;
  private static final int MOST_STACK_BYTES = 256 * 1024;
  private static final int MOST_FILES = 65_536;
  private static final Duration PAUSE = Duration.ofMillis(25);

  /** A growing file is taken to be complete when it did not grow for this long. */
  private static final Duration SETTLED = Duration.ofMillis(150);

  private ProcEvidence() {}

  /**
   * Whom to look at.
   *
   * @param started as {@link RankSampler#started} says, so that a process that took over the number
   *     is left alone; −1: not known, then no signal is sent
   * @param stackFile the rank's HOLDFAST_STACK_FILE, where it has one
   */
  public record Rank(int rank, long pid, long started, Optional<Path> stackFile) {
    /** The process as it is now. */
    public static Rank of(AttachedRank rank) {
      return new Rank(
          rank.rank(),
          rank.pid(),
          stat(Path.of("/proc/" + rank.pid())).map(ProcStat::started).orElse(-1L),
          rank.stackFile());
    }
  }

  /**
   * What was seen.
   *
   * @param state the kernel's letter; {@code X}: the process is gone
   * @param place where its main thread waits; empty: nowhere, or it cannot be told
   * @param lines one fact each, for people
   * @param by what gave the stacks
   * @param stacks of its threads, as those tools write them; empty: {@code noStacks} says why
   */
  public record Seen(
      int rank,
      long pid,
      char state,
      String place,
      List<String> lines,
      List<String> by,
      String stacks,
      String noStacks) {
    public static final String FAULT_HANDLER = "fault handler";

    public Seen {
      lines = List.copyOf(lines);
      by = List.copyOf(by);
    }

    /** A rank that has no process any more, or none yet. */
    public static Seen without(int rank, String why) {
      return new Seen(rank, 0, ProcStat.GONE, "", List.of(why), List.of(), "", why);
    }

    /** With the stacks that one more tool gave. */
    public Seen with(String tool, String text) {
      List<String> tools = new ArrayList<>(by);
      tools.add(tool);
      String all = stacks.isEmpty() ? text : stacks + "\n\n" + text;
      return new Seen(rank, pid, state, place, lines, tools, all, "");
    }

    /** With what one more tool could not give: the reason, or a line where there are stacks. */
    public Seen lacking(String why) {
      if (stacks.isEmpty()) {
        return new Seen(rank, pid, state, place, lines, by, "", why);
      }
      List<String> more = new ArrayList<>(lines);
      more.add(why);
      return new Seen(rank, pid, state, place, more, by, stacks, noStacks);
    }

    /** What {@link #json} wrote. */
    public static Seen of(Fields fields) {
      String letter = fields.text("state", "");
      return new Seen(
          fields.integer("rank"),
          fields.number("pid"),
          letter.isEmpty() ? ProcStat.GONE : letter.charAt(0),
          fields.text("place", ""),
          fields.texts("lines"),
          fields.texts("by"),
          fields.text("stacks", ""),
          fields.text("noStacks", ""));
    }

    public Map<String, @Nullable Object> json() {
      return Json.map(
          "rank",
          rank,
          "pid",
          pid,
          "state",
          String.valueOf(state),
          "place",
          place.isEmpty() ? null : place,
          "lines",
          lines,
          "by",
          by,
          "stacks",
          stacks.isEmpty() ? null : stacks,
          "noStacks",
          noStacks.isEmpty() ? null : noStacks);
    }
  }

  private record Asked(long pid, Path file, long before) {}

  private record Look(char state, String place, List<String> lines) {
    static Look gone(String why) {
      return new Look(ProcStat.GONE, "", List.of(why));
    }
  }

  /** Looks at all of them, within the limit. */
  public static List<Seen> collect(List<Rank> ranks, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    Map<Integer, Asked> asked = new TreeMap<>();
    Map<Integer, String> refused = new TreeMap<>();
    Map<Integer, Look> looks = new TreeMap<>();
    for (Rank rank : ranks) {
      if (System.nanoTime() < end) {
        // First what is, then the signal: it wakes what sleeps.
        looks.put(rank.rank(), look(rank));
        String why = whyNot(rank);
        Optional<Asked> question = why.isEmpty() ? ask(rank) : Optional.empty();
        question.ifPresent(one -> asked.put(rank.rank(), one));
        if (question.isEmpty()) {
          refused.put(rank.rank(), why.isEmpty() ? "no right to send it a signal" : why);
        }
      }
    }
    await(new TreeMap<>(asked), end);
    List<Seen> seen = new ArrayList<>();
    for (Rank rank : ranks) {
      Look look = looks.getOrDefault(rank.rank(), new Look('?', "", List.of()));
      Asked question = asked.get(rank.rank());
      String stacks = question == null ? "" : answer(question);
      String none = refused.getOrDefault(rank.rank(), "it was not asked: no time was left");
      if (question != null) {
        none = ProcessState.alive(rank.pid()) ? "it did not answer" : "it ended when it was asked";
      }
      seen.add(
          new Seen(
              rank.rank(),
              rank.pid(),
              look.state(),
              look.place(),
              look.lines(),
              stacks.isEmpty() ? List.of() : List.of(Seen.FAULT_HANDLER),
              stacks,
              stacks.isEmpty() ? none : ""));
    }
    return seen;
  }

  private static Look look(Rank rank) {
    Path folder = Path.of("/proc/" + rank.pid());
    Optional<ProcStat> stat = stat(folder);
    if (stat.isEmpty()) {
      return Look.gone("the process is gone");
    }
    if (rank.started() >= 0 && stat.get().started() != rank.started()) {
      return Look.gone("the process is gone; its number belongs to another one now");
    }
    List<String> lines = new ArrayList<>();
    int files = BoundedFile.list(folder.resolve("fd"), MOST_FILES).names().size();
    lines.add(
        "%s (%s): state %s, %.2f s CPU, %d threads, %d open files"
            .formatted(
                stat.get().name(),
                rank.pid(),
                stat.get().state(),
                stat.get().cpuSeconds(),
                stat.get().threads(),
                files));
    String place = stat.get().state() == 'R' ? "" : WaitPlace.of(folder, false);
    if (!place.isEmpty()) {
      lines.add("main thread in " + place);
    }
    lines.add("threads: " + threads(folder));
    String stack = text(folder.resolve("stack")).strip();
    if (!stack.isEmpty()) {
      lines.add(
          "kernel: "
              + String.join(
                  " < ",
                  stack
                      .lines()
                      .limit(8)
                      .map(line -> line.replaceFirst("^\\[<[^>]*>\\] ", ""))
                      .toList()));
    }
    return new Look(stat.get().state(), place, lines);
  }

  private static Optional<ProcStat> stat(Path folder) {
    return ProcStat.parse(text(folder.resolve("stat")));
  }

  private static String threads(Path folder) {
    Map<String, Integer> kinds = new TreeMap<>();
    for (String thread : BoundedFile.list(folder.resolve("task"), MOST_THREADS).names()) {
      Path task = folder.resolve("task").resolve(thread);
      ProcStat.parse(text(task.resolve("stat")))
          .ifPresent(
              stat -> {
                String place = stat.state() == 'R' ? "" : WaitPlace.of(task, false);
                kinds.merge(
                    stat.state() + (place.isEmpty() ? "" : " in " + place), 1, Integer::sum);
              });
    }
    List<String> parts = new ArrayList<>();
    kinds.entrySet().stream()
        .sorted((a, b) -> b.getValue() - a.getValue())
        .limit(8)
        .forEach(kind -> parts.add(kind.getValue() + " × " + kind.getKey()));
    return String.join(", ", parts);
  }

  /** Why the rank cannot be asked for its stacks; empty: it can. */
  private static String whyNot(Rank rank) {
    Path folder = Path.of("/proc/" + rank.pid());
    Optional<ProcStat> stat = stat(folder);
    if (stat.isEmpty() || rank.started() < 0 || stat.get().started() != rank.started()) {
      return "the process is gone";
    }
    if (rank.stackFile().isEmpty()) {
      return "it was not started with a stack file";
    }
    if ("RS".indexOf(stat.get().state()) < 0) {
      return "in state " + stat.get().state() + " no signal reaches it";
    }
    int signal = signal(rank);
    if (signal <= 0) {
      return "it did not say that it answers a signal with its stacks";
    }
    return catches(text(folder.resolve("status")), signal)
        ? ""
        : "it has no handler for signal " + signal;
  }

  /** The signal that this very process wrote it answers; 0: none. */
  private static int signal(Rank rank) {
    Pattern offer = Pattern.compile("(?m)^# process " + rank.pid() + " .* signal ([0-9]{1,2})$");
    String start = rank.stackFile().map(file -> head(file)).orElse("");
    Matcher found = offer.matcher(start);
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }

  private static String head(Path file) {
    return BoundedFile.read(file, 4 * MOST_STACK_BYTES).text().orElse("");
  }

  /** Whether the process has a handler for the signal, by what its status file says. */
  public static boolean catches(String status, int signal) {
    Matcher caught = Pattern.compile("(?m)^SigCgt:\\s*([0-9a-fA-F]{1,16})$").matcher(status);
    return caught.find()
        && ((Long.parseUnsignedLong(caught.group(1), 16) >>> (signal - 1)) & 1) == 1;
  }

  private static Optional<Asked> ask(Rank rank) {
    Path file = rank.stackFile().orElseThrow();
    Asked question = new Asked(rank.pid(), file, size(file));
    return Signals.send(rank.pid(), signal(rank)) ? Optional.of(question) : Optional.empty();
  }

  private static void await(Map<Integer, Asked> asked, long end) {
    Map<Integer, Long> sizes = new TreeMap<>();
    long settledAt = System.nanoTime() + SETTLED.toNanos();
    try {
      while (System.nanoTime() < end && !asked.isEmpty()) {
        boolean grew = false;
        boolean all = true;
        // Whoever ends while it is asked is not waited for.
        asked.values().removeIf(one -> !ProcessState.alive(one.pid()));
        for (Map.Entry<Integer, Asked> entry : asked.entrySet()) {
          long now = size(entry.getValue().file());
          Long before = sizes.put(entry.getKey(), now);
          grew |= before == null || before != now;
          all &= now > entry.getValue().before();
        }
        if (grew) {
          settledAt = System.nanoTime() + SETTLED.toNanos();
        }
        if (all && System.nanoTime() >= settledAt) {
          return;
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static String answer(Asked question) {
    String text = BoundedFile.tail(question.file(), MOST_STACK_BYTES).text().orElse("");
    long grown = Math.min(MOST_STACK_BYTES, Math.max(0, size(question.file()) - question.before()));
    // Stacks are plain text, so a character is a byte but for names in other scripts.
    return text.length() <= grown
        ? text.strip()
        : text.substring((int) (text.length() - grown)).strip();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException notThere) {
      return 0;
    }
  }

  private static String text(Path file) {
    return BoundedFile.read(file, 1 << 16).text().orElse("");
  }
}
