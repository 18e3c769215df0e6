package dev.holdfast.cli.command;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentOptions;
import dev.holdfast.agent.watch.Machine;
import dev.holdfast.agent.watch.ThisMachine;
import dev.holdfast.cli.console.Console;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.site.Configuration;
import dev.holdfast.doctor.site.Expectation;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.os.place.Places;
import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The agent of this machine inside another command. */
final class LocalAgent {
  private LocalAgent() {}

  /**
   * Tells that control plane what changes here and what launchers tell, unless another agent hears
   * those already.
   */
  static Agent start(ServerAddress server, Path state, Console console, Daemon daemon)
      throws IOException {
    Places places = Places.ofThisProcess();
    Machine machine = new ThisMachine(places);
    List<Check> checks = SiteChecks.after(Checks.all(), machine.glance());
    Agent agent =
        new Agent(
            new AgentOptions(
                Optional.of(server),
                state,
                AgentOptions.SPOOL,
                Optional.empty(),
                free(places.runtime().resolve("agent.sock")),
                OptionalInt.empty(),
                Agent.actions(),
                new TreeMap<>(),
                VersionCommand.version()),
            machine,
            checks,
            site(places, checks, null, console),
            InstantSource.system(),
            console::message,
            daemon.heartbeats());
    agent.start();
    return agent;
  }

  /** The socket, unless somebody answers there. */
  private static Optional<Path> free(Path socket) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      return Optional.empty();
    } catch (IOException nobody) {
      return Optional.of(socket);
    }
  }

  static Site site(Places places, List<Check> checks, @Nullable Path expect, Console console) {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Configuration configuration =
        Configuration.load(
            places.configuration(), checks.stream().map(Check::info).toList(), today);
    configuration.notes().forEach(console::message);
    return configuration.site(expect == null ? Expectation.NONE : Expectation.read(expect), today);
  }
}
