package dev.holdfast.launch.watch;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.libc.Signals;
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
  public record Rank(int rank, long pid, long started, Optional<Path> stackFile) {}

  /**
   * What was seen.
   *
   * @param lines one fact each, for people
   * @param stacks of its Python threads; empty: {@code noStacks} says why
   */
  public record Seen(int rank, long pid, List<String> lines, String stacks, String noStacks) {
    public Seen {
      lines = List.copyOf(lines);
    }

    public Map<String, @Nullable Object> json() {
      return Json.map(
          "rank",
          rank,
          "pid",
          pid,
          "lines",
          lines,
          "stacks",
          stacks.isEmpty() ? null : stacks,
          "noStacks",
          noStacks.isEmpty() ? null : noStacks);
    }
  }

  private record Asked(Path file, long before) {}

  /** Looks at all of them, within the limit. */
  public static List<Seen> collect(List<Rank> ranks, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    Map<Integer, Asked> asked = new TreeMap<>();
    Map<Integer, String> refused = new TreeMap<>();
    Map<Integer, List<String>> lines = new TreeMap<>();
    for (Rank rank : ranks) {
      if (System.nanoTime() < end) {
        // First what is, then the signal: it wakes what sleeps.
        lines.put(rank.rank(), look(rank));
        String why = whyNot(rank);
        if (why.isEmpty()) {
          ask(rank).ifPresent(question -> asked.put(rank.rank(), question));
        } else {
          refused.put(rank.rank(), why);
        }
      }
    }
    await(asked, end);
    List<Seen> seen = new ArrayList<>();
    for (Rank rank : ranks) {
      Asked question = asked.get(rank.rank());
      String stacks = question == null ? "" : answer(question);
      String none = refused.getOrDefault(rank.rank(), stacks.isEmpty() ? "it did not answer" : "");
      seen.add(
          new Seen(
              rank.rank(), rank.pid(), lines.getOrDefault(rank.rank(), List.of()), stacks, none));
    }
    return seen;
  }

  private static List<String> look(Rank rank) {
    Path folder = Path.of("/proc/" + rank.pid());
    Optional<ProcStat> stat = ProcStat.parse(text(folder.resolve("stat")));
    if (stat.isEmpty()) {
      return List.of("the process is gone");
    }
    if (rank.started() >= 0 && stat.get().started() != rank.started()) {
      return List.of("the process is gone; its number belongs to another one now");
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
    String place = WaitPlace.of(folder, false);
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
    return List.copyOf(lines);
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
    Optional<ProcStat> stat = ProcStat.parse(text(folder.resolve("stat")));
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

  static boolean catches(String status, int signal) {
    Matcher caught = Pattern.compile("(?m)^SigCgt:\\s*([0-9a-fA-F]{1,16})$").matcher(status);
    return caught.find()
        && ((Long.parseUnsignedLong(caught.group(1), 16) >>> (signal - 1)) & 1) == 1;
  }

  private static Optional<Asked> ask(Rank rank) {
    Path file = rank.stackFile().orElseThrow();
    Asked question = new Asked(file, size(file));
    return Signals.send(rank.pid(), signal(rank)) ? Optional.of(question) : Optional.empty();
  }

  private static void await(Map<Integer, Asked> asked, long end) {
    Map<Integer, Long> sizes = new TreeMap<>();
    long settledAt = System.nanoTime() + SETTLED.toNanos();
    try {
      while (System.nanoTime() < end && !asked.isEmpty()) {
        boolean grew = false;
        boolean all = true;
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
