package dev.holdfast.cli;

import dev.holdfast.cli.console.Console;
import dev.holdfast.os.nvml.NvmlChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which classes does everyday use load? Runs a list of commands in this one process while the
 * virtual machine records for the ahead-of-time cache, which takes a single run as its model.
 *
 * <p>Started by the build only. A command that fails is reported and passed over: it costs some
 * speed later, and a build must not depend on it.
 */
final class Training {
  private Training() {}

  public static void main(String[] arguments) throws IOException {
    NvmlChild.rehearse();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Console console = Console.ofProcess();
        int code = Main.run(console, line.strip().split("\\s+"));
        console.message("trained on `" + line + "`, exit " + code);
      }
    }
    // An orderly exit writes the recording; threads left behind by probes must not delay it.
    System.exit(0);
  }
}
