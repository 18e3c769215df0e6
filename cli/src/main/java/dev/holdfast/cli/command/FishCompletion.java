package dev.holdfast.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The command tree as fish's {@code complete} lines. */
final class FishCompletion {
  private FishCompletion() {}

  static String of(CommandSpec root) {
    List<String> lines = new ArrayList<>();
    lines.add("complete -c holdfast -f");
    root.subcommands()
        .forEach(
            (name, command) -> {
              CommandSpec spec = command.getCommandSpec();
              lines.add(
                  "complete -c holdfast -n __fish_use_subcommand -a %s -d %s"
                      .formatted(name, quoted(first(spec.usageMessage().description()))));
              spec.options().forEach(option -> lines.add(option(name, option)));
            });
    return String.join("\n", lines) + "\n";
  }

  private static String option(String command, OptionSpec option) {
    StringBuilder line =
        new StringBuilder(
            "complete -c holdfast -n '__fish_seen_subcommand_from %s'".formatted(command));
    for (String name : option.names()) {
      line.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^-+", ""));
    }
    if (option.arity().max() > 0) {
      line.append(" -r");
    }
    Iterable<String> choices = option.completionCandidates();
    if (choices != null) {
      List<String> words = new ArrayList<>();
      for (String choice : choices) {
        words.add(choice.toLowerCase(Locale.ROOT));
      }
      line.append(" -a ").append(quoted(String.join(" ", words)));
    } else if (option.type() == java.nio.file.Path.class) {
      line.append(" -F");
    }
    return line.append(" -d ").append(quoted(first(option.description()))).toString();
  }

  private static String first(String[] lines) {
    return lines.length == 0 ? "" : lines[0].replaceFirst("(?<=\\w\\.) .*", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
