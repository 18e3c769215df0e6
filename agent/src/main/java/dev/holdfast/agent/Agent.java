package dev.holdfast.agent;

import dev.holdfast.agent.kernel.Feed;
import dev.holdfast.agent.kernel.KernelDevice;
import dev.holdfast.agent.kernel.KernelFile;
import dev.holdfast.agent.kernel.KernelWatch;
import dev.holdfast.agent.kernel.LogView;
import dev.holdfast.agent.link.ControlLink;
import dev.holdfast.agent.link.Self;
import dev.holdfast.agent.link.Sender;
import dev.holdfast.agent.local.Launchers;
import dev.holdfast.agent.local.LocalReports;
import dev.holdfast.agent.local.LocalRules;
import dev.holdfast.agent.memory.Change;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.metrics.MetricsServer;
import dev.holdfast.agent.request.Requests;
import dev.holdfast.agent.request.SiteScripts;
import dev.holdfast.agent.tell.Teller;
import dev.holdfast.agent.watch.CounterFiles;
import dev.holdfast.agent.watch.Description;
import dev.holdfast.agent.watch.Machine;
import dev.holdfast.agent.watch.Pace;
import dev.holdfast.agent.watch.Watch;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.nvml.Nvml;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** All parts of the agent together: what is looked at, what is told, to whom. */
public final class Agent implements AutoCloseable {
  private static final String DESCRIBED = "described";
  private static final Duration OWN = Duration.ofSeconds(5);
  private static final Duration KEEP = Duration.ofMinutes(5);
  private static final Duration DESCRIBE = Duration.ofMinutes(1);

  private final AgentOptions options;
  private final Heartbeats heartbeats;
  private final Machine machine;
  private final InstantSource clock;
  private final Consumer<String> messages;
  private final Memory memory;
  private final Teller teller;
  private final Watch watch;
  private final CounterFiles counters;
  private final OwnState own;
  private final Launchers launchers;
  private final Requests requests;
  private final Figures figures;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Optional<KernelWatch> kernel = Optional.empty();
  private Optional<Sender> sender = Optional.empty();
  private OptionalInt metricsPort = OptionalInt.empty();

  /**
   * @param messages gets what a person at the terminal should know
   * @param heartbeats the threads of this process that must live
   */
  public Agent(
      AgentOptions options,
      Machine machine,
      List<Check> checks,
      Site site,
      InstantSource clock,
      Consumer<String> messages,
      Heartbeats heartbeats)
      throws IOException {
    this.heartbeats = heartbeats;
    this.options = options;
    this.machine = machine;
    this.clock = clock;
    this.messages = messages;
    this.memory = Memory.open("node/" + machine.name(), options.state(), options.spoolBytes());
    this.teller = new Teller(memory, clock);
    this.counters = new CounterFiles(options.state());
    this.figures = new Figures(machine.name(), options.version());
    this.watch = new Watch(machine, checks, site, counters::read, this::took);
    this.own = new OwnState(machine.name(), options.state());
    this.launchers = new Launchers(memory, clock);
    this.requests =
        new Requests(
            memory,
            watch,
            machine,
            new SiteScripts(options.actions()),
            launchers::ask,
            this::took,
            clock);
  }

  private void took(List<CheckResult> results) {
    figures.took(results);
    teller.took(results);
  }

  /** Begins to look, to tell and to listen. */
  public void start() throws IOException {
    requests.recall();
    describe();
    followKernel();
    watch.every(OWN, "own state", this::lookAtOurselves);
    watch.every(OWN, "launchers", launchers::look);
    watch.every(KEEP, "keep counters", this::keepCounters);
    watch.every(DESCRIBE, "describe", this::describe);
    if (options.server().isPresent()) {
      Sender link =
          new Sender(
              new ControlLink(
                  options.server().get(), "node/" + machine.name(), Self.on(machineId())),
              memory,
              clock,
              this::standing,
              teller::adopt,
              requests::take,
              messages,
              launchers::refused);
      open.add(link);
      sender = Optional.of(link);
      link.start(heartbeats);
    }
    if (options.socket().isPresent()) {
      LocalRules rules =
          new LocalRules(machine.name(), System.getProperty("user.name", ""), teller, launchers);
      open.add(LocalReports.open(options.socket().get(), rules, heartbeats));
    }
    if (options.metricsPort().isPresent()) {
      MetricsServer server =
          MetricsServer.start(
              options.metricsPort().getAsInt(),
              () -> figures.text(memory, watch, kernel, sender, requests.cordoned()),
              () -> figures.health(heartbeats.late(), memory, watch, kernel, sender));
      open.add(server);
      metricsPort = OptionalInt.of(server.port());
    }
    watch.start(heartbeats);
  }

  private void followKernel() {
    String position = KernelWatch.position(memory);
    try {
      Feed feed =
          options.kernelLog().isPresent()
              ? KernelFile.open(options.kernelLog().get(), position)
              : KernelDevice.open(KernelDevice.DEVICE, boot(), position);
      KernelWatch following =
          new KernelWatch(
              feed,
              memory,
              clock,
              text -> watch.log(LogView.of(machine.glance(), text, feed.caughtUp())));
      open.add(following);
      kernel = Optional.of(following);
      following.start(heartbeats);
    } catch (IOException problem) {
      own.kernelLog("it cannot be opened: " + problem.getMessage());
      messages.accept("the kernel log is not followed: " + problem.getMessage());
    }
  }

  /** Where a machine has no name of its own, one life of it has. */
  private String machineId() {
    return machine
        .glance()
        .text("/etc/machine-id")
        .filter(it -> !it.isBlank())
        .orElseGet(this::boot);
  }

  private String boot() {
    return machine.glance().text("/proc/sys/kernel/random/boot_id").orElse("unknown");
  }

  private void lookAtOurselves() {
    kernel.map(KernelWatch::trouble).filter(why -> !why.isEmpty()).ifPresent(own::kernelLog);
    own.look(watch.stuck(), memory.trouble(), memory.losses())
        .forEach((check, findings) -> teller.took(check, findings, "it is well again"));
    teller.count();
  }

  private void describe() {
    NodeDescription seen =
        Description.of(machine.look(Nvml.Depth.PRESENCE), options.version(), options.place());
    // Without a socket no launcher can say that it is here.
    NodeDescription now = options.socket().isPresent() ? seen.confirming() : seen;
    Set<String> parts = new HashSet<>();
    now.devices().forEach(device -> parts.add(device.kind() + "/" + device.name()));
    teller.present(subject -> isThere(subject, parts));
    boolean known =
        memory
            .fact(DESCRIBED)
            .map(tree -> NodeDescription.of(Fields.of(DESCRIBED, tree)))
            .filter(now::equals)
            .isPresent();
    if (!known) {
      Change change = new Change().set(DESCRIBED, now.json());
      boolean _ = memory.commit(change.say(clock.instant(), new Statement.Described(now)));
    }
  }

  /** Only of accelerators and adapters it is known which there are. */
  private static boolean isThere(Subject subject, Set<String> parts) {
    return !(subject instanceof Subject.Part part)
        || !Set.of("gpu", "npu", "nic").contains(part.kind())
        || parts.contains(String.join("/", part.path()));
  }

  private List<Statement> standing() {
    List<Statement> all = new ArrayList<>();
    memory
        .fact(DESCRIBED)
        .map(tree -> NodeDescription.of(Fields.of(DESCRIBED, tree)))
        .ifPresent(node -> all.add(new Statement.Described(node)));
    all.addAll(launchers.standing());
    all.addAll(teller.standing());
    return all;
  }

  private void keepCounters() {
    try {
      for (Map.Entry<Pace, History> entry : watch.histories().entrySet()) {
        counters.write(entry.getKey(), entry.getValue());
      }
    } catch (IOException problem) {
      messages.accept("counters are not kept: " + problem.getMessage());
    }
  }

  /** Looks at everything once and waits until it is told, or the time is over. */
  public boolean once(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    watch.once();
    while (System.nanoTime() < end
        && (memory.waitingReports() > 0 && sender.isPresent()
            || kernel.filter(it -> !it.caughtUp()).isPresent())) {
      Thread.sleep(50);
    }
    return memory.waitingReports() == 0 || sender.isEmpty();
  }

  public Teller teller() {
    return teller;
  }

  public Memory memory() {
    return memory;
  }

  /** Where the metrics are, if they are. */
  public OptionalInt metricsPort() {
    return metricsPort;
  }

  @Override
  public void close() throws IOException {
    watch.close();
    for (AutoCloseable part : open.reversed()) {
      try {
        part.close();
      } catch (Exception problem) {
        messages.accept("while ending: " + problem.getMessage());
      }
    }
    keepCounters();
    machine.close();
    memory.close();
  }

  /** The folder of the site's scripts when nothing else is said. */
  public static Path actions() {
    return Path.of("/etc/holdfast/actions.d");
  }
}
