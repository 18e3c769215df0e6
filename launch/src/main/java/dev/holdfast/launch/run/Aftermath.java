package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.launch.forensics.Bundle;
import dev.holdfast.launch.forensics.Investigation;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is done when an attempt was interrupted: its evidence becomes one file, and all of it
 * together is judged once more. A thread of its own does that, because folders of runs lie on file
 * systems that hang; the next attempt does not wait for it, and the end of the job only so long.
 */
final class Aftermath {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final int MOST_EVIDENCE = 6;

  private final JobSpec spec;
  private final RunLog log;
  private final Inbox inbox;
  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private @Nullable Thread working;

  Aftermath(JobSpec spec, RunLog log, Inbox inbox) {
    this.spec = spec;
    this.log = log;
    this.inbox = inbox;
  }

  /**
   * Begins; one at a time, what comes meanwhile waits.
   *
   * @param tell whether to say what follows from it: only who led the job knows enough
   */
  void begin(int attempt, boolean tell) {
    Thread before = working;
    working =
        Thread.ofPlatform()
            .name("aftermath")
            .daemon()
            .start(
                () -> {
                  if (await(before)) {
                    said.addAll(work(attempt, tell));
                    inbox.post(this::say);
                  }
                });
  }

  /** Waits for what was begun, if that does not take too long; says it here and now. */
  void await() {
    if (!await(working)) {
      log.say("the evidence was not gathered within " + LONGEST.toSeconds() + " s");
    }
    say();
  }

  private void say() {
    for (String line = said.poll(); line != null; line = said.poll()) {
      log.say(line);
    }
  }

  private static boolean await(@Nullable Thread thread) {
    try {
      return thread == null || thread.join(LONGEST);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<String> work(int attempt, boolean tell) {
    Path node = Path.of(LogFolders.ofNode(spec));
    List<String> lines = new ArrayList<>();
    try {
      log.settle(SETTLED);
      if (tell) {
        lines.addAll(verdict(Investigation.of(node, 0).conclusions().getFirst()));
      }
      Path file = Bundle.write(node, attempt, Instant.now(), "holdfast");
      lines.add("the evidence in one file: " + file);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (IOException | IllegalArgumentException cannot) {
      lines.add("the evidence was not gathered: " + cannot.getMessage());
    }
    return lines;
  }

  static List<String> verdict(Conclusion best) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "verdict: %s, %s, %.0f %% sure. %s"
            .formatted(best.who(), best.kind(), 100 * best.confidence(), best.what()));
    best.evidence().stream().limit(MOST_EVIDENCE).forEach(line -> lines.add("  " + line));
    best.against().forEach(line -> lines.add("  against it: " + line));
    return lines;
  }
}
