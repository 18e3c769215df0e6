package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.text.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Write a note about a node or an incident. */
@Command(
    name = "note",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write a note about a node or an incident, for whoever comes next.",
    footer = {
      "",
      "It is shown with the node or the incident, on the page and in the shell.",
      "",
      "Examples:",
      "  holdfast note n17 \"cable 14 reseated, third time this month\"",
      "  holdfast note i-12 \"ticket 4711\"",
    })
final class NoteCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "A node, or an incident such as i-12.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "What to write.")
  private String text = "";

  @Mixin private ServerChoice server = new ServerChoice();

  NoteCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    boolean incident = name.matches("i-[0-9]+");
    try (Operator operator = new Operator(server.open())) {
      // A note about a name nobody knows would never be read.
      operator.get((incident ? "/incidents/" : "/nodes/") + Operator.part(name));
      operator.post(
          "/notes", Json.map("subject", (incident ? "incident/" : "node/") + name, "text", text));
    }
    console.answer(name + ": noted\n");
    return 0;
  }
}
