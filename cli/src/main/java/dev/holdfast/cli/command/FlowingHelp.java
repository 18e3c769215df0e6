package dev.holdfast.cli.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Help whose paragraphs end their lines where the terminal does: sources hold them in lines that
 * fit there. A line goes on with the next unless one of them is empty or indented, or it ends with
 * a colon.
 */
final class FlowingHelp extends Help {
  FlowingHelp(CommandSpec command, ColorScheme colours) {
    super(command, colours);
  }

  @Override
  public String description(Object... parameters) {
    return paragraphs(commandSpec().usageMessage().description(), parameters);
  }

  @Override
  public String footer(Object... parameters) {
    return paragraphs(commandSpec().usageMessage().footer(), parameters);
  }

  private String paragraphs(String[] lines, Object... parameters) {
    return join(
            ansi(),
            commandSpec().usageMessage().width(),
            commandSpec().usageMessage().adjustLineBreaksForWideCJKCharacters(),
            joined(lines),
            new StringBuilder(),
            parameters)
        .toString();
  }

  private static String[] joined(String... lines) {
    List<String> all = new ArrayList<>();
    for (String line : lines) {
      String last = all.isEmpty() ? "" : all.getLast();
      if (flows(last) && flows(line) && !last.endsWith(":")) {
        all.set(all.size() - 1, last + " " + line);
      } else {
        all.add(line);
      }
    }
    return all.toArray(String[]::new);
  }

  private static boolean flows(String line) {
    return !line.isBlank() && !line.startsWith(" ");
  }
}
