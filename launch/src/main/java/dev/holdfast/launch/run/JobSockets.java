package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.stacks.StackSampler;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.net.LocalService;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of this machine that can be asked: one socket a launcher, named after its job and its
 * node, because launchers of several nodes may share a machine.
 */
public record JobSockets(Path folder) {
  private static final String ENDING = ".sock";
  private static final int MOST = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  public static JobSockets ofThisProcess() {
    return new JobSockets(Places.ofThisProcess().runtime().resolve("run"));
  }

  public Path of(String job, String node) {
    return file(job + "@" + node);
  }

  private Path file(String launcher) {
    return folder.resolve(launcher + ENDING);
  }

  /** The launchers ({@code job@node}) with a socket here; one that was killed leaves it behind. */
  public List<String> launchers() {
    List<String> jobs = new ArrayList<>();
    for (String name : BoundedFile.list(folder, MOST).names()) {
      if (name.endsWith(ENDING)) {
        jobs.add(name.substring(0, name.length() - ENDING.length()));
      }
    }
    return jobs;
  }

  public JobStatus status(String launcher) throws IOException {
    String answer =
        LocalService.ask(file(launcher), Json.line(Json.map("ask", "status")), PATIENCE);
    try {
      return JobStatus.of(answer);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("its launcher gives no status: " + wrong.getMessage(), wrong);
    }
  }

  /**
   * Has a launcher take the stacks of its ranks.
   *
   * @param within as long as it may take
   */
  public StackSampler.Round stacks(String launcher, boolean nativeToo, Duration within)
      throws IOException {
    String answer =
        LocalService.ask(
            file(launcher),
            Json.line(
                Json.map(
                    "ask",
                    "stacks",
                    "native",
                    nativeToo,
                    "seconds",
                    Math.max(1, (within.toMillis() + 999) / 1000))),
            within.plus(PATIENCE).plus(PATIENCE));
    try {
      Fields fields = Fields.of("answer", Json.object(answer));
      if (fields.has("error")) {
        throw new IOException(fields.text("error"));
      }
      return StackSampler.Round.of(fields);
    } catch (IllegalArgumentException wrong) {
      throw new IOException("its launcher gives no stacks: " + wrong.getMessage(), wrong);
    }
  }
}
