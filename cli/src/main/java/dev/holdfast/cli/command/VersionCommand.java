package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Which Holdfast is this? */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Runnable {
  private final Console console;

  VersionCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    console.answer("holdfast " + version() + ", Java " + Runtime.version() + "\n");
  }

  /** The version the build wrote into the program. */
  static String version() {
    Properties properties = new Properties();
    try (InputStream stream = VersionCommand.class.getResourceAsStream("/holdfast.properties")) {
      if (stream != null) {
        properties.load(stream);
      }
    } catch (IOException e) {
      return "unknown";
    }
    return properties.getProperty("version", "unknown");
  }

  /** For {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"holdfast " + version()};
    }
  }
}
