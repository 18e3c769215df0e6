package dev.holdfast.agent.request;

import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The site's own means: an executable {@code actions.d/reset-device}, {@code actions.d/cordon} and
 * so on. What has none is refused; Holdfast itself changes nothing.
 *
 * <p>They run with our rights, so one that others may change is refused: the file and its folder
 * must belong to root or to us, and nobody else may write them.
 */
public record SiteScripts(Path folder) {
  private static final int MOST_OUTPUT = 4096;
  private static final int REFUSED = 3;

  /** The script for this kind of request, if there is one. */
  public Optional<Path> script(Request.Kind kind) {
    Path file = folder.resolve(kind.word());
    return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
  }

  /** Runs it; exit code 0 is done, 3 refused, anything else failed. */
  public Outcome run(Path script, Request request, Duration deadline) {
    Optional<String> objection = objection(script);
    if (objection.isPresent()) {
      return new Outcome(Answer.REFUSED, script + " " + objection.get() + ": not run");
    }
    CommandResult result =
        Command.of(script.toAbsolutePath().toString(), request.subject().toString())
            .within(deadline)
            .limit(MOST_OUTPUT, MOST_OUTPUT)
            .with("HOLDFAST_REQUEST", request.id())
            .with("HOLDFAST_SUBJECT", request.subject().toString())
            .with("HOLDFAST_WHY", request.why())
            .run();
    String said = last(result.output().isBlank() ? result.error() : result.output());
    return switch (result.ending()) {
      case EXITED ->
          result.succeeded()
              ? new Outcome(Answer.DONE, said)
              : new Outcome(
                  result.exitCode() == REFUSED ? Answer.REFUSED : Answer.FAILED,
                  "exit code " + result.exitCode() + (said.isEmpty() ? "" : ": " + said));
      case NOT_FOUND, FAILED -> new Outcome(Answer.FAILED, result.why());
      case TIMED_OUT ->
          new Outcome(Answer.UNKNOWN, "did not end within " + deadline.toSeconds() + " s");
    };
  }

  private static String last(String output) {
    return output.lines().filter(line -> !line.isBlank()).reduce((_, line) -> line).orElse("");
  }

  private static Optional<String> objection(Path script) {
    try {
      Path real = script.toRealPath();
      for (Path part : new Path[] {real, real.resolveSibling(".")}) {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(part);
        if (rights.contains(PosixFilePermission.OTHERS_WRITE)
            || rights.contains(PosixFilePermission.GROUP_WRITE)) {
          return Optional.of("or its folder can be changed by others");
        }
        String owner = Files.getOwner(part).getName();
        if (!owner.equals("root") && !owner.equals(System.getProperty("user.name"))) {
          return Optional.of("or its folder belongs to " + owner);
        }
      }
      return Files.isExecutable(real) ? Optional.empty() : Optional.of("is not executable");
    } catch (IOException problem) {
      return Optional.of(String.valueOf(problem.getMessage()).toLowerCase(Locale.ROOT));
    }
  }
}
