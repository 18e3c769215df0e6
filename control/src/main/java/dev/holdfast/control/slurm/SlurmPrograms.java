package dev.holdfast.control.slurm;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.os.process.Ending;
import dev.holdfast.os.process.ProgramPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs Slurm's programs, each within a deadline, and tells no answer from a no. */
final class SlurmPrograms {
  private static final int MOST_OUTPUT = 256 << 20;
  private static final int MOST_ERROR = 1 << 16;
  private static final String FOLDERS = ":/usr/bin:/usr/local/bin:/opt/slurm/bin:/bin";

  /** What the programs say when it is not slurmctld that answered. */
  private static final List<String> NO_ANSWER =
      List.of(
          "Unable to contact slurm controller",
          "Socket timed out",
          "Connection refused",
          "Connection reset",
          "Zero Bytes were transmitted",
          "standby mode",
          "Munge decode failed",
          "authentication error",
          "Unexpected message received",
          "connect failure");

  private final SlurmSettings settings;
  private final String path;
  private long calls;

  SlurmPrograms(SlurmSettings settings) {
    this.settings = settings;
    this.path =
        settings
                .environment()
                .getOrDefault("PATH", System.getenv().getOrDefault("PATH", "/usr/bin"))
            + FOLDERS;
  }

  /** How many were run so far. */
  long calls() {
    return calls;
  }

  String ask(String program, String... arguments) throws SlurmAway, SlurmRefusal {
    calls++;
    List<String> words = new ArrayList<>();
    words.add(
        ProgramPath.find(program, path)
            .orElseThrow(() -> new SlurmAway(program + " is not on the PATH")));
    words.addAll(List.of(arguments));
    Command command =
        Command.of(words)
            .within(settings.deadline())
            .limit(MOST_OUTPUT, MOST_ERROR)
            .with("SLURM_TIME_FORMAT", "%s");
    for (Map.Entry<String, String> each : settings.environment().entrySet()) {
      command = command.with(each.getKey(), each.getValue());
    }
    CommandResult result = command.run();
    if (result.succeeded() && !result.truncated()) {
      return result.output();
    }
    String said = first(result.error().isBlank() ? result.output() : result.error());
    if (result.succeeded()) {
      throw new SlurmAway(program + " said more than can be kept");
    }
    boolean answered =
        result.ending() == Ending.EXITED
            && NO_ANSWER.stream().noneMatch(it -> result.error().contains(it));
    if (answered) {
      throw new SlurmRefusal(said.isEmpty() ? result.why() : said);
    }
    throw new SlurmAway(result.ending() == Ending.EXITED ? program + ": " + said : result.why());
  }

  private static String first(String text) {
    return text.lines().map(String::strip).filter(it -> !it.isEmpty()).findFirst().orElse("");
  }
}
