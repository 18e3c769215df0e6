package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.stacks.StackOrder;
import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.launch.run.JobSockets;
import dev.holdfast.launch.run.JobStatus;
import dev.holdfast.launch.stacks.StackAnswer;
import dev.holdfast.launch.stacks.StackRounds;
import dev.holdfast.launch.stacks.StackSampler;
import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.AttachedRank;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Samples processes of this machine, or has the launchers of a run do it, and tells what came. */
final class LiveStacks {
  private static final int MOST_SILENT = 16;
  private static final int MOST_NAMES = 8;

  /**
   * @param within the longest a sample may take
   */
  record Wish(boolean nativeToo, int samples, Duration interval, Duration within) {}

  /** One sample of all. */
  @FunctionalInterface
  private interface Sampling {
    Round sample() throws InterruptedException;
  }

  private final Console console;
  private final Wish wish;
  private final List<String> notAsked = new ArrayList<>();
  private final List<String> elsewhere = new ArrayList<>();
  private @Nullable StackRounds rounds;

  LiveStacks(Console console, Wish wish) {
    this.console = console;
    this.wish = wish;
  }

  StackTree ofPids(List<Long> pids) throws InterruptedException {
    List<AttachedRank> found = AttachedRank.present(pids);
    for (long pid : pids) {
      if (found.stream().noneMatch(rank -> rank.pid() == pid)) {
        notAsked.add("process " + pid + ": there is no such process");
      }
    }
    if (found.isEmpty()) {
      throw new HoldfastException(ErrorCode.NO_STACKS, String.join(", ", notAsked));
    }
    console.message(names(found));
    List<ProcEvidence.Rank> ranks = found.stream().map(ProcEvidence.Rank::of).toList();
    StackSampler sampler = StackSampler.ofThisMachine(wish.nativeToo());
    return take(() -> sampler.sample(ranks, wish.within()));
  }

  private static String names(List<AttachedRank> ranks) {
    List<String> names =
        ranks.stream()
            .limit(MOST_NAMES)
            .map(rank -> "rank %d is %s %d".formatted(rank.rank(), rank.name(), rank.pid()))
            .toList();
    int more = ranks.size() - names.size();
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
  }

  /** All launchers of the job on those hosts are asked. */
  StackTree ofFleet(String job, String hostlist) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "--samples=" + wish.samples(),
                "--interval=" + Durations.write(wish.interval()),
                "--within=" + Durations.write(wish.within())));
    if (wish.nativeToo()) {
      words.add("--native");
    }
    Duration sampling = wish.within().plus(wish.interval()).multipliedBy(wish.samples());
    StackAnswer answer = new FleetRun(console, hostlist).stacks(job, words, sampling);
    notAsked.addAll(answer.notAsked());
    elsewhere.addAll(answer.elsewhere());
    if (answer.rounds().isEmpty()) {
      throw new HoldfastException(ErrorCode.NO_JOB, String.join("; ", notAsked));
    }
    return taken(answer.rounds());
  }

  /** All launchers of the job on this machine are asked; those elsewhere are named. */
  StackTree ofJob(String wanted) throws InterruptedException {
    JobSockets sockets = JobSockets.ofThisProcess();
    List<String> all = sockets.launchers();
    JobStatus status = wanted.contains("/") ? ofFolder(sockets, wanted) : LocalJob.find(wanted);
    List<String> launchers =
        all.stream()
            .filter(launcher -> launcher.startsWith(status.job() + "@"))
            .filter(launcher -> !launcher.substring(status.job().length() + 1).contains("@"))
            .toList();
    status.nodes().stream()
        .map(JobStatus.NodeState::node)
        .filter(node -> !launchers.contains(status.job() + "@" + node))
        .forEach(elsewhere::add);
    return take(() -> ask(sockets, launchers));
  }

  private static JobStatus ofFolder(JobSockets sockets, String folder) {
    Path wanted = Path.of(folder).toAbsolutePath().normalize();
    for (String launcher : sockets.launchers()) {
      try {
        JobStatus status = sockets.status(launcher);
        Path own = Path.of(status.folder()).toAbsolutePath().normalize();
        if (own.startsWith(wanted) || wanted.startsWith(own)) {
          return status;
        }
      } catch (IOException silent) {
        // A launcher that was killed leaves its socket behind.
      }
    }
    throw new HoldfastException(
        ErrorCode.NO_JOB,
        "no run of yours on this machine writes to "
            + folder
            + "; what one kept when it hung: --from attempt_N/hang.json");
  }

  private Round ask(JobSockets sockets, List<String> launchers) throws InterruptedException {
    List<Seen> seen = new ArrayList<>();
    Duration longest = Duration.ZERO;
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Round>> answers = new ArrayList<>();
      for (String launcher : launchers) {
        Callable<Round> question = () -> sockets.stacks(launcher, wish.nativeToo(), wish.within());
        answers.add(pool.submit(question));
      }
      for (int i = 0; i < launchers.size(); i++) {
        try {
          Round round = answers.get(i).get();
          seen.addAll(round.seen());
          longest = longest.compareTo(round.took()) < 0 ? round.took() : longest;
        } catch (ExecutionException silent) {
          String why =
              launchers.get(i)
                  + ": "
                  + (silent.getCause() instanceof IOException cause
                      ? cause.getMessage()
                      : silent.getCause());
          if (!notAsked.contains(why)) {
            notAsked.add(why);
          }
        }
      }
    }
    seen.sort(Comparator.comparingInt(Seen::rank));
    if (seen.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.NO_JOB,
          notAsked.isEmpty() ? "the run has no rank here" : String.join("; ", notAsked));
    }
    return new Round(seen, longest);
  }

  private StackTree take(Sampling sampling) throws InterruptedException {
    List<Round> taken = new ArrayList<>();
    for (int i = 0; i < wish.samples(); i++) {
      if (i > 0) {
        Thread.sleep(wish.interval());
      }
      console.progress("samples", i, wish.samples());
      taken.add(sampling.sample());
    }
    console.progress("samples", wish.samples(), wish.samples());
    return taken(taken);
  }

  private StackTree taken(List<Round> taken) {
    StackRounds all = new StackRounds(taken);
    rounds = all;
    return all.tree();
  }

  /** Who is missing from what is told. */
  private List<String> missing() {
    List<String> missing = new ArrayList<>(notAsked);
    elsewhere.forEach(
        node ->
            missing.add("node " + node + ": its launcher is on another machine; -w asks there"));
    return missing;
  }

  void tellMissing() {
    missing().forEach(why -> console.message("not asked: " + why));
  }

  /** For whoever asked from another machine. */
  String line() {
    return new StackAnswer(rounds().rounds(), elsewhere, notAsked).line() + "\n";
  }

  private StackRounds rounds() {
    StackRounds known = rounds;
    if (known == null) {
      throw new IllegalStateException("nothing was sampled");
    }
    return known;
  }

  private double seconds() {
    return rounds().rounds().stream()
        .mapToDouble(one -> one.took().toNanos() / 1e9)
        .max()
        .orElse(0);
  }

  String text(StackTree tree) {
    StringBuilder out = new StringBuilder();
    out.append(StackText.tree(tree, console.style(), console.width()));
    out.append(StackText.order(StackOrder.of(rounds().last()), console.style(), console.width()));
    List<Seen> silent = rounds().silent();
    if (!silent.isEmpty()) {
      out.append('\n').append(console.style().dim("without a stack")).append('\n');
      for (Seen one : silent.subList(0, Math.min(MOST_SILENT, silent.size()))) {
        String line = "rank %d: %s".formatted(one.rank(), why(one));
        out.append("  ").append(Wrap.hanging(line, 4, console.width())).append('\n');
      }
      if (silent.size() > MOST_SILENT) {
        out.append("  and ").append(silent.size() - MOST_SILENT).append(" more\n");
      }
    }
    out.append('\n').append(summary()).append('\n');
    return out.toString();
  }

  private static String why(Seen seen) {
    return seen.noStacks()
        + (seen.state() == 'X'
            ? ""
            : "; state " + seen.state() + (seen.place().isEmpty() ? "" : " in " + seen.place()));
  }

  private String summary() {
    if (wish.samples() == 1) {
      return "taken within %.2f s".formatted(seconds());
    }
    return "%d samples, each taken within %.2f s; moved: %s"
        .formatted(
            wish.samples(),
            seconds(),
            rounds().moved().size() == 0 ? "nobody" : rounds().moved().text(MOST_NAMES));
  }

  String json(StackTree tree) {
    return StackText.json(
        tree,
        Json.map(
            "samples",
            wish.samples(),
            "windowSeconds",
            seconds(),
            "moved",
            wish.samples() == 1 ? null : rounds().moved().toString(),
            "order",
            StackOrder.of(rounds().last()).stream().map(StackOrder::json).toList(),
            "processes",
            rounds().rounds().getLast().seen().stream().map(Seen::json).toList(),
            "notAsked",
            missing()));
  }
}
