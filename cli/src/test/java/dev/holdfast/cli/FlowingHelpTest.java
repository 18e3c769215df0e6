package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.RootCommand;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Style;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Help in terminals of several widths. */
class FlowingHelpTest {
  @ParameterizedTest
  @ValueSource(ints = {80, 93, 110})
  void noLineOfAParagraphHasRoomForTheNextWord(int width) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    Console console = new Console(nowhere, nowhere, Style.PLAIN, width);
    assertThat(checked(RootCommand.commandLine(console), width)).isGreaterThan(50);
  }

  /** How many commands there are. */
  private static int checked(CommandLine command, int width) {
    List<String> lines = command.getUsageMessage().lines().toList();
    for (int i = 1; i < lines.size(); i++) {
      String line = lines.get(i - 1);
      String next = lines.get(i);
      assertThat(line).hasSizeLessThanOrEqualTo(width);
      if (flows(line) && flows(next) && !line.endsWith(":")) {
        assertThat(line.length() + 1 + next.split(" ", 2)[0].length())
            .as("%s at %d: %s", command.getCommandSpec().qualifiedName(), width, line)
            .isGreaterThanOrEqualTo(width);
      }
    }
    return 1 + command.getSubcommands().values().stream().mapToInt(it -> checked(it, width)).sum();
  }

  private static boolean flows(String line) {
    return !line.isBlank() && !line.startsWith(" ") && !line.startsWith("Usage:");
  }
}
