package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.access.Audit;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.ServerIdentity;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a control plane lets people and agents in, and proves that it is the right one. */
final class EntranceChoice {
  private static final Set<String> HERE = Set.of("127.0.0.1", "localhost", "::1");

  @Option(
      names = "--require-token",
      description =
          "Ask for a token from everybody. Default: whoever is on this machine may look without"
              + " one.")
  private boolean strict;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "The certificate to show, in PEM form. Default: outside this machine one of its own making,"
              + " kept in the state folder.")
  private @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "The key of --tls-cert.")
  private @Nullable Path key;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      split = ",",
      description = "Further names under which this machine is reached.")
  private List<String> names = List.of();

  @Option(
      names = "--no-tls",
      description = "Plain HTTP. Outside this machine only with --insecure-plain-http.")
  private boolean plain;

  @Option(
      names = "--insecure-plain-http",
      description = "Let tokens travel readable for everybody on the network.")
  private boolean insecure;

  /** With the tokens and the certificate of that folder. */
  Entrance open(Path folder, HostPort place, Console console) {
    try {
      Files.createDirectories(folder);
      Tokens tokens = Tokens.open(folder, InstantSource.system(), console::message);
      Audit audit = Audit.open(folder, console::message);
      OwnNames own = OwnNames.of(place.host(), names);
      Optional<ServerIdentity> identity = identity(folder, place, own, console);
      return new Entrance(tokens, audit, strict, identity, outside(place) ? own.all() : Set.of());
    } catch (IOException refused) {
      throw Failures.start(refused);
    }
  }

  static boolean outside(HostPort place) {
    return !HERE.contains(place.host());
  }

  private Optional<ServerIdentity> identity(
      Path folder, HostPort place, OwnNames own, Console console) throws IOException {
    if ((certificate == null) != (key == null)) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--tls-cert and --tls-key belong together; give both");
    }
    if (certificate != null && key != null) {
      ServerIdentity identity = ServerIdentity.read(certificate, key);
      if (identity.expired(Instant.now())) {
        console.message(certificate + " has expired; nobody will trust it");
      }
      return Optional.of(identity);
    }
    if (!outside(place)) {
      return Optional.empty();
    }
    if (plain || insecure) {
      if (!insecure) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE,
            "--no-tls: on "
                + place.host()
                + " everybody on the network could read tokens and drain nodes with them; leave it"
                + " out, or add --insecure-plain-http if something else encrypts");
      }
      console.message(
          "WARNING: plain HTTP outside this machine: whoever is on the network can read every token");
      return Optional.empty();
    }
    return Optional.of(ServerIdentity.of(folder, own.names(), own.addresses(), Instant.now()));
  }
}
