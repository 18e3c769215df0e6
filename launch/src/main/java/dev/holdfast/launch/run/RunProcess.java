package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.report.Timeline;
import dev.holdfast.launch.supervise.SupervisorLink;
import dev.holdfast.os.net.LocalService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The life of the process beside the supervisor, from its first line to the end of the run. */
public final class RunProcess {
  private RunProcess() {}

  /**
   * Where the operator reads.
   *
   * @param say shows a message
   * @param show shows text as it is
   */
  public record Screen(Consumer<String> say, Consumer<String> show, Style style, int width) {}

  /** Works until the run is over or the supervisor is gone. */
  public static void run(SupervisorLink supervisor, Screen screen)
      throws IOException, InterruptedException {
    WatcherStart start = WatcherStart.of(supervisor.firstLine());
    JobSpec spec = start.spec();
    Path folder = Path.of(LogFolders.ofNode(spec));
    try (Timeline timeline = timeline(folder, screen)) {
      RunLog log = new RunLog(timeline, screen.say());
      Watcher watcher =
          new Watcher(start, supervisor, log, new LastPage(spec, folder, timeline, screen));
      Optional<LocalService> service = service(spec, watcher, log);
      try {
        watcher.work();
      } finally {
        if (service.isPresent()) {
          service.get().close();
        }
      }
    }
  }

  /** Where the log folder cannot be written the run goes on; its timeline is then a lost one. */
  private static Timeline timeline(Path folder, Screen screen) throws IOException {
    Path file = folder.resolve("timeline.log");
    try {
      return Timeline.open(file);
    } catch (IOException unwritable) {
      screen.say().accept("no timeline of this run in " + folder + ": " + unwritable.getMessage());
      return Timeline.open(Files.createTempDirectory("holdfast-run").resolve("timeline.log"));
    }
  }

  /** A run that cannot be asked is still a run. */
  private static Optional<LocalService> service(JobSpec spec, Watcher watcher, RunLog log) {
    Path file = JobSockets.ofThisProcess().of(spec.job(), spec.here().node());
    try {
      return Optional.of(LocalService.open(file, question -> answer(question, watcher)));
    } catch (IOException | RuntimeException refused) {
      log.say("this run cannot be asked for its status: " + file + ": " + refused.getMessage());
      return Optional.empty();
    }
  }

  private static String answer(String question, Watcher watcher) {
    try {
      Fields asked = Fields.of("question", Json.object(question));
      return switch (asked.text("ask")) {
        case "status" -> Json.pretty(watcher.status().json());
        case "stacks" -> Json.line(watcher.stacks(asked));
        case "end" -> {
          watcher.endFromOutside("asked for over the launcher's socket");
          yield Json.pretty(Json.map("done", true));
        }
        default -> Json.pretty(Json.map("error", "ask for status, stacks or end"));
      };
    } catch (IllegalArgumentException wrong) {
      return Json.pretty(Json.map("error", String.valueOf(wrong.getMessage())));
    }
  }
}
