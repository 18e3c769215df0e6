package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.slurm.SlurmFolder;
import java.util.List;

/** What was done, or would be, with each file in Slurm's folder. */
final class SlurmSteps {
  private SlurmSteps() {}

  static void tell(Console console, List<SlurmFolder.Step> steps, boolean dry) {
    StringBuilder text = new StringBuilder();
    for (SlurmFolder.Step step : steps) {
      text.append(
          "%-15s  %s%s%n"
              .formatted(
                  word(step.fate(), dry),
                  step.path(),
                  step.why().isEmpty() ? "" : " (" + step.why() + ")"));
    }
    console.answer(text.toString());
  }

  private static String word(SlurmFolder.Fate fate, boolean dry) {
    return switch (fate) {
      case WRITTEN -> dry ? "would write" : "written";
      case REMOVED -> dry ? "would remove" : "removed";
      case SAME -> "as it should be";
      case KEPT -> "kept";
      case GONE -> "gone";
    };
  }
}
