package dev.holdfast.launch.stacks;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.stacks.StackTools.Answer;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.launch.watch.ProcEvidence.Rank;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import dev.holdfast.launch.watch.Shells;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.process.ProcessState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Where is each of these processes at this moment? All are asked together, the gentlest way first:
 * what /proc says, then Python's own fault handler, then tools from outside for whoever has not
 * answered. A process that cannot be read is told with the reason, and nothing is waited for longer
 * than the limit.
 *
 * @param nativeToo whether a debugger may stop each process to read what is below Python and Java
 */
public record StackSampler(StackTools tools, boolean nativeToo) {
  private static final Duration LONGEST_QUESTION = Duration.ofSeconds(3);

  /** What a process runs, by the name of its program. */
  private enum Language {
    PYTHON,
    JAVA,
    OTHER
  }

  /**
   * One sample of all.
   *
   * @param took from the first look to the last answer
   */
  public record Round(List<Seen> seen, Duration took) {
    public Round {
      seen = List.copyOf(seen);
    }

    public Map<String, @Nullable Object> json() {
      return Json.map(
          "schema",
          "holdfast.sample/1",
          "seconds",
          took.toNanos() / 1e9,
          "ranks",
          seen.stream().map(Seen::json).toList());
    }

    /** What {@link #json} wrote. */
    public static Round of(Fields fields) {
      return new Round(
          fields.objects("ranks").stream().map(Seen::of).toList(),
          Duration.ofNanos((long) (fields.decimal("seconds", 0) * 1e9)));
    }
  }

  /** With the tools of this machine. */
  public static StackSampler ofThisMachine(boolean nativeToo) {
    return new StackSampler(StackTools.find(System.getenv().getOrDefault("PATH", "")), nativeToo);
  }

  public Round sample(List<Rank> ranks, Duration within) {
    long begun = System.nanoTime();
    long end = begun + within.toNanos();
    // Who does not answer the signal must not use up the time of the other ways.
    Duration question = within.multipliedBy(2).dividedBy(3);
    List<Seen> seen =
        ProcEvidence.collect(
            ranks.stream().map(Shells::through).toList(),
            question.compareTo(LONGEST_QUESTION) < 0 ? question : LONGEST_QUESTION);
    List<Seen> all = fromOutside(seen, end);
    return new Round(all, Duration.ofNanos(System.nanoTime() - begun));
  }

  private List<Seen> fromOutside(List<Seen> seen, long end) {
    List<Future<Seen>> answers = new ArrayList<>();
    int threads = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("stacks-", 0).factory())) {
      for (Seen one : seen) {
        boolean more = present(one) && (nativeToo || one.stacks().isEmpty());
        Callable<Seen> look = () -> ask(one, end);
        answers.add(more ? pool.submit(look) : CompletableFuture.completedFuture(one));
      }
      List<Seen> all = new ArrayList<>();
      for (int i = 0; i < seen.size(); i++) {
        all.add(await(seen.get(i), answers.get(i)));
      }
      return all;
    }
  }

  /** The tools keep the time themselves. */
  private static Seen await(Seen one, Future<Seen> answer) {
    try {
      return answer.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return one.lacking("interrupted");
    } catch (ExecutionException failed) {
      return one.lacking("not sampled: " + failed.getCause());
    }
  }

  private static boolean present(Seen one) {
    return one.pid() > 0 && one.state() != 'X' && one.state() != 'Z';
  }

  private Seen ask(Seen one, long end) {
    Seen seen = one;
    if (!ProcessState.alive(one.pid())) {
      return seen;
    }
    if (seen.stacks().isEmpty()) {
      seen =
          switch (language(seen.pid())) {
            case JAVA -> add(seen, StackTools.java(seen.pid(), left(end)));
            case PYTHON -> python(seen, tools.python(seen.pid(), left(end)));
            case OTHER -> nativeToo ? seen : other(seen);
          };
    }
    return nativeToo ? add(seen, tools.nativeFrames(seen.pid(), left(end))) : seen;
  }

  private static Duration left(long end) {
    return Duration.ofNanos(end - System.nanoTime());
  }

  private static Seen add(Seen seen, Answer answer) {
    return answer.text().isEmpty()
        ? seen.lacking(answer.why())
        : seen.with(answer.tool(), answer.text());
  }

  /** Both ways failed, and both reasons count, unless a missing right explains them. */
  private static Seen python(Seen seen, Answer answer) {
    if (!answer.text().isEmpty()) {
      return seen.with(answer.tool(), answer.text());
    }
    String denied = TraceRight.whyNot(seen.pid());
    return seen.lacking(denied.isEmpty() ? seen.noStacks() + "; " + answer.why() : denied);
  }

  private static Seen other(Seen seen) {
    String denied = TraceRight.whyNot(seen.pid());
    return seen.lacking(
        denied.isEmpty() ? "neither Python nor Java; --native asks a debugger" : denied);
  }

  private static Language language(long pid) {
    String program = BoundedFile.link(Path.of("/proc/" + pid + "/exe")).text().orElse("");
    String name = program.substring(program.lastIndexOf('/') + 1);
    if (name.matches("python[0-9.]*[dmt]*( \\(deleted\\))?")) {
      return Language.PYTHON;
    }
    return name.equals("java") ? Language.JAVA : Language.OTHER;
  }
}
