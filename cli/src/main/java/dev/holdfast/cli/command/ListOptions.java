package dev.holdfast.cli.command;

import dev.holdfast.core.text.Hostlist;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all commands that list something of the control plane take. */
final class ListOptions {
  @Option(
      names = {"-w", "--nodes"},
      paramLabel = "HOSTLIST",
      description = "Only what is about these nodes, such as gpu[001-016].")
  private @Nullable String hosts;

  @Option(names = "--all", description = "Also what is over or in order.")
  boolean all;

  @Option(
      names = "--watch",
      description =
          "Draw again when something changes, until Ctrl-C; with json one line each time.")
  boolean watch;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  TableOrJson format = TableOrJson.TABLE;

  @Mixin ServerChoice server = new ServerChoice();

  /** The nodes that were named; none: all. */
  Set<String> nodes() {
    return hosts == null ? Set.of() : Set.copyOf(Hostlist.expand(hosts));
  }
}
