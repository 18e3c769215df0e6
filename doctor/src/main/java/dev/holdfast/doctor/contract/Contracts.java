package dev.holdfast.doctor.contract;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.doctor.check.Check;
import java.util.List;

/**
 * Is this container image fit for a platform? One list of rules per platform, run only when asked
 * for: on a laptop inside the image, or from a recorded one.
 *
 * <p>All of them are written from the platforms' documents and say so.
 */
public final class Contracts {
  private Contracts() {}

  /** The names of the platforms. */
  public static List<String> names() {
    return Platform.ALL.stream().map(Platform::id).toList();
  }

  public static List<Check> of(String name) {
    Platform platform =
        Platform.find(name)
            .orElseThrow(
                () ->
                    new HoldfastException(
                        ErrorCode.WRONG_USAGE,
                        "no contract is called '%s'%s; known: %s"
                            .formatted(
                                name, Nearest.hint(name, names()), String.join(", ", names()))));
    return switch (platform.id()) {
      case "sagemaker" ->
          List.of(
              Programs.train(),
              new Signals(platform),
              Folders.sagemaker(),
              new HiddenFiles(),
              RootUser.sagemaker(),
              Programs.python(platform, Severity.WARNING),
              new Reserved(platform),
              new SharedMemory(platform));
      case "azureml" ->
          List.of(
              Programs.shell(platform),
              new Signals(platform),
              Folders.azureml(),
              Programs.python(platform, Severity.DEGRADED),
              new CondaVersion(),
              new Reserved(platform),
              new SharedMemory(platform));
      case "modelarts" ->
          List.of(
              new MaUser(),
              new Signals(platform),
              Folders.modelarts(),
              Programs.shell(platform),
              Programs.python(platform, Severity.DEGRADED),
              new RankTable(),
              new Reserved(platform),
              new SharedMemory(platform));
      default ->
          List.of(
              new Signals(platform),
              new TerminationLog(),
              RootUser.kubernetes(),
              new SharedMemory(platform));
    };
  }
}
