package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.ControlPlane;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.slurm.SlurmSettings;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serve the control plane. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Take in what agents and launchers report, decide what to do about it, and show it.",
    footer = {
      "",
      "Nothing is done to a node unless a rule of the policy says enforce: until then decisions are",
      "recommendations. `holdfast pause` stops all acting at once.",
      "",
      "Examples:",
      "  holdfast serve                                   page and API on 127.0.0.1:7070",
      "  holdfast serve --policy site.yaml --state /var/lib/holdfast/control",
      "  holdfast serve --database jdbc:postgresql://db/holdfast --standby --listen 127.0.0.1:7072",
      "  holdfast serve --listen 0.0.0.0:7070             for the cluster, with TLS; docs/security.md",
      "  holdfast serve --slurm --policy site.yaml        beside Slurm: drains, resumes, requeues; docs/slurm.md",
      "  holdfast up                                      the same with the agent of this machine",
    })
final class ServeCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description =
          "Default: 127.0.0.1:7070; port 0 takes any that is free. Outside this machine with TLS and"
              + " tokens for everybody.")
  private String listen = "127.0.0.1:7070";

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

  @Mixin private JournalChoice journal = new JournalChoice();
  @Mixin private EntranceChoice door = new EntranceChoice();
  @Mixin private NotifyChoice notify = new NotifyChoice();
  @Mixin private SlurmChoice slurm = new SlurmChoice();

  ServeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return Daemon.run(console, this::serve);
  }

  private int serve(Daemon daemon) throws InterruptedException {
    HostPort place = HostPort.parse("--listen", listen);
    Path folder = StateFolder.own(state == null ? defaultState() : state);
    Policy rules = PolicyFile.read(policy);
    Duration keep = journal.keep();
    notify.require();
    Optional<SlurmSettings> scheduler = slurm.settings(System.getenv());
    Entrance entrance = door.open(folder, place, console);
    try (ControlPlane control =
            ControlService.open(
                journal.lead(folder, place, entrance, console, daemon),
                folder,
                place,
                rules,
                entrance,
                daemon.heartbeats());
        ServerNote _ = ServerNote.write(folder, place, entrance, control, console);
        NotifyChoice.Outlets _ = notify.start(control.engine(), console)) {
      control.keep(keep);
      slurm.start(scheduler, control, console);
      return ControlService.untilStopped(daemon, control);
    } catch (IOException unknown) {
      throw new HoldfastException(
          ErrorCode.CANNOT_SERVE, "--listen: " + Failures.why(unknown), unknown);
    } catch (SQLException problem) {
      throw new HoldfastException(
          ErrorCode.JOURNAL, "the journal: " + problem.getMessage(), problem);
    }
  }

  static Path defaultState() {
    return Places.ofThisProcess().state().resolve("control");
  }
}
