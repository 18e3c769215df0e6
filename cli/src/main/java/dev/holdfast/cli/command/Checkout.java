package dev.holdfast.cli.command;

import dev.holdfast.bench.peer.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Where the programs are that we are measured beside: in a checkout, never in what is distributed.
 */
final class Checkout {
  @Option(
      names = "--checkout",
      paramLabel = "FOLDER",
      description =
          "Where bench/peers is, the programs of others. Default: the checkout this was built in.")
  private @Nullable Path named;

  Path folder() throws IOException {
    if (named != null) {
      if (!Files.isDirectory(named.resolve("bench/peers"))) {
        throw new IllegalArgumentException(
            "--checkout: %s is no checkout of Holdfast: bench/peers is not there".formatted(named));
      }
      return named;
    }
    return Installation.ofThisProcess()
        .checkout()
        .orElseThrow(
            () ->
                new IOException(
                    "the peers' programs are in bench/peers of a checkout, and this is none: start"
                        + " ./holdfast there, or name it with --checkout"));
  }
}
