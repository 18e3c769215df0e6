package dev.holdfast.os.testing;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The C compiler of the machine; a test that needs it is skipped, with the reason, without it. */
public final class Compiler {
  private Compiler() {}

  /** Compiles, and fails the test with the compiler's words when that does not work. */
  public static void compile(List<String> arguments) {
    CommandResult result = attempt(arguments);
    if (!result.succeeded()) {
      throw new AssertionError(result.why() + "\n" + result.error());
    }
  }

  /** Compiles if possible. */
  public static CommandResult attempt(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Tools.require("gcc", "gcc").toString());
    command.addAll(arguments);
    return Command.of(command).within(Duration.ofSeconds(60)).run();
  }

  /** Runs a program that prints {@code name=number} lines. */
  public static Map<String, Integer> numbers(Path program) {
    Map<String, Integer> numbers = new HashMap<>();
    for (String line : Command.of(program.toString()).run().output().split("\n")) {
      int equals = line.indexOf('=');
      numbers.put(line.substring(0, equals), Integer.parseInt(line.substring(equals + 1)));
    }
    return numbers;
  }

  /** Puts a source that lies beside the test class into a folder. */
  public static Path source(Class<?> beside, String name, Path folder) {
    try (InputStream stream = beside.getResourceAsStream(name)) {
      if (stream == null) {
        throw new AssertionError("no resource " + name);
      }
      return Files.write(folder.resolve(name), stream.readAllBytes());
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
