package dev.holdfast.cli.command;

import dev.holdfast.agent.Agent;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Role;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.Guard;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.sim.Demo;
import dev.holdfast.sim.Line;
import dev.holdfast.sim.Shape;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Start everything on this machine. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Start the control plane and the agent of this machine, with the page on 127.0.0.1:7070.",
    footer = {
      "",
      "With --demo a simulated cluster reports instead and lives through faults at visible speed, by the",
      "protocol real agents use; every rule of its policy acts, because nothing there is real. Its",
      "journal is thrown away at the end.",
      "",
      "Examples:",
      "  holdfast up",
      "  holdfast up --demo",
      "  holdfast up --demo --nodes 10000 --seed 7",
    })
final class UpCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Default: 7070; 0 takes any that is free.")
  private int port = 7070;

  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description = "Holds the journal. Default: control in the state folder.")
  private @Nullable Path state;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The rules to begin with. Default: those that come with Holdfast.")
  private @Nullable Path policy;

  @Option(names = "--demo", description = "Add a simulated cluster.")
  private boolean demo;

  @Option(names = "--nodes", paramLabel = "N", description = "Of the demo. Default: 512.")
  private int nodes = 512;

  @Option(names = "--devices", paramLabel = "N", description = "Of a node of the demo. Default: 8.")
  private int devices = 8;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same day. Default: 1.")
  private long seed = 1;

  UpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return Daemon.run(console, this::serve);
  }

  private int serve(Daemon daemon) throws InterruptedException {
    Path folder = state;
    try {
      if (folder == null) {
        folder = demo ? temporary() : ServeCommand.defaultState();
      }
      return serve(folder, daemon);
    } catch (SQLException | IOException problem) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE,
          "the journal in " + folder + ": " + problem.getMessage(),
          problem);
    }
  }

  /** A folder that goes with the process, however that is asked to end. */
  private Path temporary() throws IOException {
    Path folder = Files.createTempDirectory("holdfast-demo");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder), "remove demo"));
    return folder;
  }

  private int serve(Path folder, Daemon daemon)
      throws SQLException, IOException, InterruptedException {
    Policy rules = PolicyFile.read(policy);
    StateFolder.own(folder);
    HostPort place = new HostPort("127.0.0.1", port);
    Entrance entrance = new EntranceChoice().open(folder, place, console);
    try (ControlPlane control =
            ControlService.open(
                ControlService.lead(folder),
                folder,
                place,
                demo ? guarded(acting(rules)) : rules,
                entrance,
                daemon.heartbeats());
        ServerNote _ = ServerNote.write(folder, place, entrance, control, console)) {
      ServerAddress own =
          new ServerAddress(
              URI.create("http://127.0.0.1:" + control.port()),
              control.tokens().passing("up", Role.AGENT, "*"),
              "");
      control.keep(JournalChoice.KEEP);
      if (!demo) {
        try (Agent _ =
            LocalAgent.start(own, StateFolder.own(folder.resolve("agent")), console, daemon)) {
          return ControlService.untilStopped(daemon, control);
        }
      }
      console.message("with a simulated cluster of " + nodes + " nodes");
      try (Demo cluster = new Demo(shape(), new Line(own), Clock.systemUTC(), seed)) {
        cluster.start();
        return ControlService.untilStopped(daemon, control);
      }
    }
  }

  private Shape shape() {
    try {
      return new Shape(nodes, devices);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /** A day of faults in minutes would trip a guard made for real days. */
  private static Policy guarded(Policy policy) {
    return policy.withGuard(new Guard(0.25, 1_000, 8, 16, 200, Duration.ofMinutes(5)));
  }

  static Policy acting(Policy policy) {
    return policy.withRules(policy.rules().stream().map(it -> it.enforced(true)).toList());
  }

  private void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException left) {
      console.message(folder + " is left: " + Failures.why(left));
    }
  }
}
