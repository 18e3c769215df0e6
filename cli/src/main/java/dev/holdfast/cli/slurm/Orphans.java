package dev.holdfast.cli.slurm;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Processes of Slurm's jobs on this node that Slurm no longer runs here.
 *
 * <p>When slurmd dies, what it started lives on; Slurm gives the node up and starts the job
 * elsewhere, and two of them write the same checkpoints. First processes are looked at, then Slurm
 * is asked: a job that starts in between is not among the first, and one that Slurm still ends is
 * among the second. Without an answer nothing is known, and nothing is done.
 */
public final class Orphans {
  private static final Duration DEADLINE = Duration.ofSeconds(15);
  private static final Duration GRACE = Duration.ofSeconds(3);
  private static final int MOST_PROCESSES = 100_000;
  private static final int MOST_ENVIRONMENT = 1 << 20;

  private final String node;
  private final String path;

  /**
   * @param node as Slurm calls it
   * @param path where squeue is found
   */
  public Orphans(String node, String path) {
    this.node = node;
    this.path = path + ":/usr/bin:/usr/local/bin:/opt/slurm/bin:/bin";
  }

  /** Such a process. */
  public record Orphan(String job, ProcessHandle process, Instant started, String program) {}

  /** All of them, the oldest first. */
  public List<Orphan> find() {
    List<Orphan> members = new ArrayList<>();
    for (String name : BoundedFile.list(Path.of("/proc"), MOST_PROCESSES).names()) {
      if (Character.isDigit(name.charAt(0))) {
        member(Long.parseLong(name)).ifPresent(members::add);
      }
    }
    if (members.isEmpty()) {
      return List.of();
    }
    Set<String> here = jobsHere();
    return members.stream()
        .filter(it -> !here.contains(it.job()))
        .sorted(Comparator.comparing(Orphan::started))
        .toList();
  }

  /** Ends them: asked first, killed after three seconds. What is left is given back. */
  public static List<Orphan> end(List<Orphan> orphans) throws InterruptedException {
    orphans.forEach(it -> it.process().destroy());
    long deadline = System.nanoTime() + GRACE.toNanos();
    while (System.nanoTime() < deadline && orphans.stream().anyMatch(Orphans::alive)) {
      Thread.sleep(20);
    }
    List<Orphan> stubborn = orphans.stream().filter(Orphans::alive).toList();
    stubborn.forEach(it -> it.process().destroyForcibly());
    stubborn.forEach(
        it -> it.process().onExit().orTimeout(3, TimeUnit.SECONDS).exceptionally(_ -> null).join());
    return orphans.stream().filter(Orphans::alive).toList();
  }

  private static boolean alive(Orphan orphan) {
    return orphan.process().isAlive();
  }

  /** Slurm's tasks carry the job and the node; a shell of salloc on a login node has no node. */
  private Optional<Orphan> member(long pid) {
    List<String> environment =
        BoundedFile.read(Path.of("/proc/" + pid + "/environ"), MOST_ENVIRONMENT, Form.NUL_SEPARATED)
            .text()
            .orElse("")
            .lines()
            .toList();
    if (!environment.contains("SLURMD_NODENAME=" + node)) {
      return Optional.empty();
    }
    Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
    return environment.stream()
        .filter(it -> it.matches("SLURM_JOB_ID=[0-9]{1,10}"))
        .findFirst()
        .map(it -> it.substring(it.indexOf('=') + 1))
        .flatMap(job -> process.map(it -> orphan(job, it)));
  }

  private static Orphan orphan(String job, ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    return new Orphan(
        job,
        process,
        info.startInstant().orElse(Instant.EPOCH),
        info.commandLine().or(info::command).orElse("?"));
  }

  /** The jobs Slurm runs here, also those it is ending. */
  private Set<String> jobsHere() {
    CommandResult answer =
        Command.of("/usr/bin/env", "squeue", "-h", "-a", "-w", node, "-o", "%A")
            .within(DEADLINE)
            .with("PATH", path)
            .run();
    if (!answer.succeeded()) {
      throw new HoldfastException(
          ErrorCode.SLURM_SILENT,
          "which jobs are on %s is not known: %s %s"
              .formatted(node, answer.why(), answer.error().strip()));
    }
    return new HashSet<>(answer.output().lines().map(String::strip).toList());
  }
}
