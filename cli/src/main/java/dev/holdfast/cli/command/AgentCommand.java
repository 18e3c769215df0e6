package dev.holdfast.cli.command;

import dev.holdfast.agent.Agent;
import dev.holdfast.agent.AgentOptions;
import dev.holdfast.agent.link.Enrolling;
import dev.holdfast.agent.watch.FolderMachine;
import dev.holdfast.agent.watch.Machine;
import dev.holdfast.agent.watch.ThisMachine;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.site.SiteChecks;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.place.Places;
import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerRefusal;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Watch this node all the time and tell what changes. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Watch this node continuously and tell the control plane what changes.",
    footer = {
      "",
      "It only looks: what the control plane asks to be done (reset a device, keep jobs away) is done by a",
      "script of the site in actions.d, and refused where there is none. While the control plane is away",
      "reports wait in the state folder. docs/agent.md tells what is looked at how often and which rights",
      "that needs.",
      "",
      "Examples:",
      "  holdfast agent --server https://head:7070 --fingerprint F --enrol-file T   the first time",
      "  holdfast agent --server https://head:7070 --fingerprint F                  as a service does",
      "  holdfast agent                                     without a control plane: metrics only",
      "  holdfast agent --once                              look at everything once",
      "  holdfast agent --from DIR                          a recorded node, to try it",
    })
final class AgentCommand implements Callable<Integer> {
  private static final int METRICS_PORT = 7071;
  private static final int MOST_SECRET = 4096;
  private static final Duration ONCE = Duration.ofSeconds(60);

  private final Console console;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The control plane; with a standby both, with a comma between them. Default: the variable"
              + " HOLDFAST_SERVER, else none.")
  private @Nullable String server;

  @Option(
      names = "--fingerprint",
      paramLabel = "SHA256",
      description =
          "Of the certificate the control plane must show, as `serve` prints it. Default: the"
              + " variable HOLDFAST_FINGERPRINT, else any that this machine trusts.")
  private @Nullable String fingerprint;

  @Option(
      names = "--enrol",
      paramLabel = "TOKEN",
      description =
          "Make this node known with a token of `holdfast token enrol`; once is enough, then it is"
              + " left unread. Everybody here can see it among the processes: better --enrol-file.")
  private @Nullable String enrol;

  @Option(
      names = "--enrol-file",
      paramLabel = "FILE",
      description = "Holds that token. Default: the variable HOLDFAST_ENROL_FILE.")
  private @Nullable Path enrolFile;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the agent's token. Default: agent.token in its state folder.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "What it must know after a restart. Default: agent in the state folder.")
  private @Nullable Path state;

  @Option(names = "--once", description = "Look at everything once, tell it, and end.")
  private boolean once;

  @Option(
      names = "--place",
      paramLabel = "KIND=NAME",
      split = ",",
      description = "What the node shares with others: rack=r7,leaf=l3,power=p1.")
  private Map<String, String> place = Map.of();

  @Option(
      names = "--spool",
      paramLabel = "BYTES",
      description = "How much may wait for the control plane. Default: 8MiB.")
  private String spool = "8MiB";

  @Option(
      names = "--kernel-log",
      paramLabel = "FILE",
      description = "Follow this file instead of /dev/kmsg.")
  private @Nullable Path kernelLog;

  @Option(
      names = "--socket",
      paramLabel = "FILE",
      description =
          "Where programs of this node report. Default: agent.sock in the run-time folder.")
  private @Nullable Path socket;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "/metrics and /healthz on 127.0.0.1. Default: 7071; 0: none.")
  private int metricsPort = METRICS_PORT;

  @Option(
      names = "--actions",
      paramLabel = "DIR",
      description = "The site's scripts for what may be asked. Default: /etc/holdfast/actions.d.")
  private @Nullable Path actions;

  @Option(
      names = "--expect",
      paramLabel = "FILE",
      description = "Compare the node with this expected inventory (see doctor --learn).")
  private @Nullable Path expect;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description =
          "Watch a recorded node instead of this machine; the folder may change meanwhile.")
  private @Nullable Path from;

  AgentCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    return Daemon.run(console, this::watch);
  }

  private int watch(Daemon daemon) throws InterruptedException {
    Places places = Places.ofThisProcess();
    Machine machine =
        from == null ? new ThisMachine(places) : new FolderMachine(from, InstantSource.system());
    AgentOptions options = options(places, machine.name());
    List<Check> checks = SiteChecks.after(Checks.all(), machine.glance());
    try (Agent agent =
        new Agent(
            options,
            machine,
            checks,
            LocalAgent.site(places, checks, expect, console),
            InstantSource.system(),
            console::message,
            daemon.heartbeats())) {
      agent.start();
      if (once) {
        return lookOnce(agent);
      }
      console.message(
          "watching %s, %s; state in %s"
              .formatted(
                  machine.name(),
                  options.server().map(it -> "telling " + it).orElse("telling nobody"),
                  options.state()));
      daemon.serves();
      daemon.untilInterrupted();
      return 0;
    } catch (IOException e) {
      throw Failures.start(e);
    }
  }

  private int lookOnce(Agent agent) throws InterruptedException {
    boolean told = agent.once(ONCE);
    StringBuilder text = new StringBuilder();
    for (Finding finding : agent.teller().holding()) {
      text.append(
          "%s %s %s: %s\n"
              .formatted(
                  finding.severity().word(),
                  finding.check(),
                  finding.subject(),
                  finding.summary()));
    }
    console.answer(text.isEmpty() ? "nothing holds that is worth telling\n" : text.toString());
    if (!told) {
      console.message("the control plane did not take everything; the rest waits");
    }
    return told ? 0 : 1;
  }

  private AgentOptions options(Places places, String node) throws InterruptedException {
    String variable = places.environment().getOrDefault("HOLDFAST_SERVER", "");
    List<URI> chosen = servers(server != null ? server : variable);
    Path folder = StateFolder.own(state == null ? places.state().resolve("agent") : state);
    return new AgentOptions(
        chosen.isEmpty()
            ? Optional.empty()
            : Optional.of(
                known(chosen.getFirst(), folder, node, places)
                    .or(chosen.subList(1, chosen.size()))),
        folder,
        Bytes.parse(spool).count(),
        Optional.ofNullable(kernelLog),
        once && socket == null
            ? Optional.empty()
            : Optional.of(socket == null ? places.runtime().resolve("agent.sock") : socket),
        metricsPort == 0 || once ? OptionalInt.empty() : OptionalInt.of(metricsPort),
        actions == null ? Agent.actions() : actions,
        new TreeMap<>(place),
        VersionCommand.version());
  }

  /** The control plane with what it knows us by. */
  private ServerAddress known(URI server, Path folder, String node, Places places)
      throws InterruptedException {
    String print =
        ServerChoice.print(
            fingerprint != null
                ? fingerprint
                : places.environment().getOrDefault("HOLDFAST_FINGERPRINT", ""));
    if (tokenFile != null) {
      return new ServerAddress(server, secret("--token-file", tokenFile), print);
    }
    Optional<String> own = Enrolling.token(folder);
    if (own.isPresent()) {
      return new ServerAddress(server, own.get(), print);
    }
    String named = places.environment().getOrDefault("HOLDFAST_ENROL_FILE", "");
    Path file = enrolFile != null || named.isEmpty() ? enrolFile : Path.of(named);
    String invitation = enrol != null ? enrol : file != null ? secret("--enrol-file", file) : "";
    if (invitation.isEmpty()) {
      String given = places.environment().getOrDefault("HOLDFAST_SERVER_TOKEN", "");
      if (given.isEmpty()) {
        console.message(
            "this node has no token and will not be heard: an admin makes one with `holdfast token"
                + " enrol`, --enrol-file takes it");
      }
      return new ServerAddress(server, given, print);
    }
    ServerAddress stranger = new ServerAddress(server, "", print);
    try {
      String token = Enrolling.enrol(stranger, invitation, node, folder);
      console.message(node + " is enrolled at " + server);
      return new ServerAddress(server, token, print);
    } catch (IOException refused) {
      throw new HoldfastException(
          refused instanceof ServerRefusal ? ErrorCode.NOT_PERMITTED : ErrorCode.NO_CONTROL_PLANE,
          server
              + ": "
              + (refused instanceof ServerRefusal
                  ? Operator.said(String.valueOf(refused.getMessage()))
                  : Failures.why(refused)),
          refused);
    }
  }

  private static String secret(String option, Path file) {
    Reading reading = BoundedFile.read(file, MOST_SECRET);
    return reading
        .text()
        .map(String::strip)
        .orElseThrow(
            () -> new HoldfastException(ErrorCode.UNREADABLE_INPUT, option + ": " + reading.why()));
  }

  private static List<URI> servers(String text) {
    List<URI> servers = new ArrayList<>();
    for (String each : text.isBlank() ? new String[0] : text.split(",")) {
      URI uri = uri(each.strip());
      if (uri.getHost() == null || uri.getScheme() == null) {
        throw new HoldfastException(
            ErrorCode.WRONG_USAGE, "--server: write it as http://HOST:7070, not " + each);
      }
      servers.add(uri);
    }
    return servers;
  }

  private static URI uri(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--server: write it as http://HOST:7070, not " + text, wrong);
    }
  }
}
