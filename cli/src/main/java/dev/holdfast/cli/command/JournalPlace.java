package dev.holdfast.cli.command;

import dev.holdfast.control.journal.Database;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.os.place.Places;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which journal a command works on: that of a folder, or one in PostgreSQL. */
final class JournalPlace {
  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description = "The folder with the journal. Default: control in the state folder.")
  private @Nullable Path state;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "The PostgreSQL with the journal. Default: the variable HOLDFAST_DATABASE.")
  private @Nullable String url;

  Path folder() {
    return state == null ? ServeCommand.defaultState() : state;
  }

  /** Whether it is in files of {@link #folder}. */
  boolean files() {
    return address().isEmpty();
  }

  private String address() {
    if (url != null || state != null) {
      return url == null ? "" : url;
    }
    return environment().getOrDefault("HOLDFAST_DATABASE", "");
  }

  private static Map<String, String> environment() {
    return Places.ofThisProcess().environment();
  }

  Database database() {
    if (files()) {
      return Database.embedded(folder());
    }
    try {
      return Database.at(address(), environment());
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--database: " + wrong.getMessage(), wrong);
    }
  }

  /** Files that are not there are not made by looking. */
  void requireThere() {
    if (files()) {
      StateFolder.look(folder());
    }
    if (files() && !Files.exists(folder().resolve("journal.mv.db"))) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, "there is no journal in " + folder());
    }
  }
}
