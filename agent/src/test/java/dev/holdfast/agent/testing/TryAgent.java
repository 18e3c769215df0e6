package dev.holdfast.agent.testing;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentOptions;
import dev.holdfast.agent.watch.FolderMachine;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.server.ServerAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Agents of a simulated node. */
public final class TryAgent {
  private TryAgent() {}

  public static Agent start(TryNode node, Path state, Optional<ServerAddress> server, Check... more)
      throws IOException {
    return start(node, state, server, InstantSource.system(), more);
  }

  /**
   * @param clock asked by many of its threads
   */
  public static Agent start(
      TryNode node, Path state, Optional<ServerAddress> server, InstantSource clock, Check... more)
      throws IOException {
    List<Check> checks = new ArrayList<>(Checks.all());
    checks.addAll(List.of(more));
    AgentOptions options =
        new AgentOptions(
            server,
            state,
            AgentOptions.SPOOL,
            Optional.of(node.kernelLog()),
            Optional.of(state.resolve("agent.sock")),
            OptionalInt.of(0),
            state.resolve("actions.d"),
            new TreeMap<>(java.util.Map.of("rack", "r1")),
            "test");
    Agent agent =
        new Agent(
            options,
            new FolderMachine(node.folder(), InstantSource.system()),
            checks,
            Site.none(LocalDate.EPOCH),
            clock,
            _ -> {},
            new Heartbeats());
    agent.start();
    return agent;
  }
}
