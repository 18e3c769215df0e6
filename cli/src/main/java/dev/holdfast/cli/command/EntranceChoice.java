package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import picocli.CommandLine.Option;

/** How a control plane lets people and agents in. */
final class EntranceChoice {
  @Option(
      names = "--require-token",
      description =
          "Ask for a token from everybody. Default: whoever is on this machine may look without"
              + " one.")
  private boolean strict;

  /** With the tokens of that folder. */
  Entrance open(Path folder, Console console) {
    try {
      Files.createDirectories(folder);
      Tokens tokens = Tokens.open(folder, InstantSource.system(), console::message);
      return new Entrance(tokens, strict);
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, "--state: " + Failures.why(refused), refused);
    }
  }
}
