package dev.holdfast.cli;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentOptions;
import dev.holdfast.agent.watch.FolderMachine;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.access.Role;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.node.FolderNode;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.process.Heartbeats;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Real agents of nodes that are laid out as folders, beside a control plane of the test. */
record FolderAgents(Path folder, ControlPlane control) {
  /** Where what the agent looks at is: a sound node, until a test changes it. */
  Path node(String name) {
    return folder.resolve("node-" + name);
  }

  /** Not started yet. */
  Agent agent(String name, List<Check> checks) throws IOException {
    Path node = node(name);
    FolderNode.unfold(Golden.root().resolve("fixtures/nodes/clean"), node);
    Path about = node.resolve("about");
    Files.writeString(about, Files.readString(about).replace("node=clean", "node=" + name));
    Files.createFile(folder.resolve(name + ".log"));
    return new Agent(
        new AgentOptions(
            Optional.of(
                new ServerAddress(
                    URI.create("http://127.0.0.1:" + control.port()),
                    control.tokens().passing(name, Role.AGENT, "node/" + name),
                    "")),
            folder.resolve("agent-" + name),
            AgentOptions.SPOOL,
            Optional.of(folder.resolve(name + ".log")),
            Optional.of(folder.resolve(name + ".sock")),
            OptionalInt.empty(),
            folder.resolve("actions.d"),
            new TreeMap<>(),
            "test"),
        new FolderMachine(node, InstantSource.system()),
        checks,
        Site.none(LocalDate.EPOCH),
        InstantSource.system(),
        _ -> {},
        new Heartbeats());
  }
}
