package dev.holdfast.agent.local;

import dev.holdfast.os.file.BoundedFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Does a user really have that job of a scheduler on this node? Names of such jobs can be guessed,
 * and anybody may say one. It is proven by a process of the user in the control group that Slurm
 * made for the job; nobody but root puts a process there. A variable of the environment proves
 * nothing: its owner chooses it. Of pods nothing can be seen from here by their names.
 */
final class SchedulerJobs {
  /** Between two looks at all processes. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final int MOST_CHARACTERS = 8_192;
  private static final int MOST_PROCESSES = 200_000;
  private static final Pattern NAME = Pattern.compile("slurm-(\\d{1,18})(?:\\..*)?");

  /** Groups below {@code user.slice} are made by users themselves, under any name. */
  private static final Pattern GROUP =
      Pattern.compile(
          "(?m)^\\d+:[^:]*:/(?:system\\.slice/)?[^/]*slurm[^/]*/(?:uid_\\d+/)?job_(\\d+)(?:/.*)?$");

  private final Path processes;
  private final LongSupplier nanos;
  private Set<Proven> proven = Set.of();
  private long begun;

  private record Proven(String user, String job) {}

  SchedulerJobs(Path processes, LongSupplier nanos) {
    this.processes = processes;
    this.nanos = nanos;
    this.begun = nanos.getAsLong() - PAUSE.toNanos();
  }

  /** Whether a name is one that only a scheduler gives. */
  static boolean named(String job) {
    return job.startsWith("slurm-") || job.startsWith("k8s-");
  }

  /** Whether it is proven; looks again where it is not, a second after the last look. */
  synchronized boolean has(String user, String job) {
    Matcher name = NAME.matcher(job);
    if (!name.matches()) {
      return false;
    }
    Proven wanted = new Proven(user, name.group(1));
    if (!proven.contains(wanted)) {
      look();
    }
    return proven.contains(wanted);
  }

  private void look() {
    try {
      for (long left = left(); left > 0; left = left()) {
        TimeUnit.NANOSECONDS.sleep(left);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return;
    }
    begun = nanos.getAsLong();
    Set<Proven> found = new HashSet<>();
    int seen = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[1-9]*")) {
      for (Path process : all) {
        job(process).flatMap(job -> proof(process, job)).ifPresent(found::add);
        if (++seen == MOST_PROCESSES) {
          break;
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
      // What cannot be seen is not proven.
    }
    proven = Set.copyOf(found);
  }

  private long left() {
    return begun + PAUSE.toNanos() - nanos.getAsLong();
  }

  private static Optional<String> job(Path process) {
    Matcher group =
        GROUP.matcher(
            BoundedFile.read(process.resolve("cgroup"), MOST_CHARACTERS).text().orElse(""));
    return group.find() ? Optional.of(group.group(1)) : Optional.empty();
  }

  private static Optional<Proven> proof(Path process, String job) {
    try {
      return Optional.of(new Proven(Files.getOwner(process).getName(), job));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
