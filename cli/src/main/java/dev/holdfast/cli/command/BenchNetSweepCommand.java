package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.MachineWatch;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.bench.net.BufferMemory;
import dev.holdfast.bench.net.Element;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.NetSizes;
import dev.holdfast.bench.net.NetSweep;
import dev.holdfast.bench.net.Operation;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.bench.net.Transports;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Grid;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Wrap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which ranks, transport and streams are best here? */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Try every combination of transports, streams and ranks: which is best here, at which size?",
    footer = {
      "",
      "Every combination has its turn in each round, with fresh processes. A star marks the best of a size, a",
      "tilde what may be as good: its rounds overlap with those of the best.",
      "",
      "Examples:",
      "  holdfast bench net sweep",
      "  holdfast bench net sweep all_to_all --transport tcp --streams 1,2,4 --ranks 2,4 --sizes 64K,4M",
      "  holdfast bench net sweep --hosts n[1-4]:8 --streams 1,2,4 --ranks 4,32",
    })
final class BenchNetSweepCommand implements Callable<Integer> {
  private static final int MOST = 200;
  private static final int ROUNDS = 3;

  /** Two runs of fewer are never told apart. */
  private static final int ROUNDS_KEPT = 6;

  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "COLLECTIVE",
      description = "Default: all_reduce.")
  private String collective = "all_reduce";

  @Option(
      names = "--transport",
      split = ",",
      paramLabel = "NAME",
      description = "tcp, unix, shm; between hosts tcp. Default: all of these.")
  private @Nullable List<String> transports;

  @Option(
      names = "--streams",
      split = ",",
      paramLabel = "K",
      description = "Sockets for each pair of ranks, each way. Default: 1,2.")
  private List<Integer> streams = List.of(1, 2);

  @Option(
      names = {"--ranks", "-g"},
      split = ",",
      paramLabel = "N",
      description = "Numbers of processes. Default: 2; on hosts as many as they have slots.")
  private @Nullable List<Integer> ranks;

  @Mixin private HostsChoice hosts = new HostsChoice();

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      description = "Default: 4K,64K,1M,16M.")
  private List<String> sizes = List.of("4K", "64K", "1M", "16M");

  @Option(
      names = "--iters",
      paramLabel = "N",
      description = "Measured calls a round. Default: 0, as many as fit into a third of a second.")
  private int iterations;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Default: 3; with --save 6, so that bench diff can tell.")
  private @Nullable Integer rounds;

  @Option(
      names = "--no-bind",
      description = "Leave it to the kernel where ranks run, and do not keep cores busy waiting.")
  private boolean unbound;

  @Mixin private RunOutput output = new RunOutput();

  @Mixin private KeepChoice keep = new KeepChoice();

  BenchNetSweepCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    return NetMeasuring.guarded(this::measure);
  }

  private Integer measure() throws IOException {
    keep.require();
    List<NetSweep.Setting> settings = settings();
    for (NetSweep.Setting setting : settings) {
      NetPlan plan = plan(setting);
      if (!hosts.given()) {
        BufferMemory.require(plan);
      }
    }
    output.prepare(true);
    return Interruptible.run(console, () -> measure(settings));
  }

  private int measure(List<NetSweep.Setting> settings) throws IOException {
    MachineWatch watch = MachineWatch.begin();
    NetSweep.Outcome outcome =
        NetSweep.run(
            settings,
            rounds(),
            new NetSweep.Planner() {
              @Override
              public NetPlan plan(NetSweep.Setting setting) {
                return BenchNetSweepCommand.this.plan(setting);
              }

              @Override
              public RankSite site(NetSweep.Setting setting) {
                return hosts.site(places(setting.ranks()), System.getenv());
              }
            },
            (setting, done, total) -> console.progress(setting.words(), done, total));
    List<Grid.Setting> rows = new ArrayList<>();
    outcome
        .results()
        .forEach((setting, results) -> rows.add(new Grid.Setting(setting.words(), results)));
    Grid grid = new Grid(rows);
    int most = settings.stream().mapToInt(NetSweep.Setting::ranks).max().orElse(0);
    Map<String, String> facts = new LinkedHashMap<>(outcome.machines());
    facts.put("binding", outcome.binding());
    facts.put("iterations", iterations == 0 ? "auto" : Integer.toString(iterations));
    facts.put("rounds", Integer.toString(outcome.rounds()));
    Manifest manifest =
        NetMeasuring.manifest(
            watch,
            hosts.site(places(most), System.getenv()),
            facts,
            outcome.cards(),
            outcome.load());
    List<String> notes = new ArrayList<>(outcome.notes());
    outcome.failure().ifPresent(it -> notes.add(Failures.why(it)));
    return keep.answered(
        console,
        manifest,
        outcome.kept(),
        notes,
        run -> {
          output.write(
              console,
              run,
              () -> text(grid, manifest, outcome),
              () -> json(grid, manifest, outcome.rounds(), notes));
          if (outcome.failure().isPresent()) {
            throw outcome.failure().get();
          }
          return run.results().stream().anyMatch(it -> it.wrong() > 0) ? 1 : 0;
        });
  }

  private int rounds() {
    return rounds != null ? rounds : keep.asked() ? ROUNDS_KEPT : ROUNDS;
  }

  private List<NetSweep.Setting> settings() {
    if (rounds() < 1) {
      throw new IllegalArgumentException("--rounds: at least 1");
    }
    if (ranks != null) {
      ranks.forEach(RanksChoice::requireSome);
    }
    if (ranks == null && hosts.given()) {
      List<String> all = places(0);
      new RanksChoice.Placed(all.size(), all).requireTwo(null);
    }
    List<Integer> counts = ranks == null ? List.of(hosts.given() ? places(0).size() : 2) : ranks;
    List<String> words =
        transports != null
            ? transports
            : hosts.given() ? List.of("tcp") : List.of("shm", "unix", "tcp");
    List<Transport> chosen =
        words.stream()
            .flatMap(
                it -> counts.stream().map(count -> HostsChoice.transport(it, count, hosts.given())))
            .distinct()
            .toList();
    if (chosen.contains(Transport.MPI)) {
      throw new IllegalArgumentException("--transport: mpi is not part of a sweep");
    }
    List<NetSweep.Setting> settings = NetSweep.settings(chosen, streams, counts);
    if (settings.size() > MOST) {
      throw new IllegalArgumentException(
          settings.size() + " combinations are too many: at most " + MOST);
    }
    return settings;
  }

  private List<String> places(int count) {
    return hosts.places(count, System.getenv());
  }

  private NetPlan plan(NetSweep.Setting setting) {
    Collective named =
        Collective.named(collective)
            .filter(it -> !it.judgedByTime() && it != Collective.SEND_RECV)
            .orElseThrow(() -> new IllegalArgumentException("no collective: '" + collective + "'"));
    List<Operation> operations = new ArrayList<>();
    for (String size : sizes) {
      long bytes = Bytes.parse(size).count();
      operations.addAll(new NetSizes(bytes, bytes, 2).of(named, Element.FLOAT, 0, setting.ranks()));
    }
    return new NetPlan(
        Transports.performed(operations, setting.transport()),
        setting.ranks(),
        setting.transport(),
        setting.streams(),
        iterations,
        5,
        true,
        1,
        !unbound,
        30);
  }

  private String json(Grid grid, Manifest manifest, int rounds, List<String> notes) {
    Map<String, @Nullable Object> tree =
        Json.map("schema", "holdfast.bench.sweep/1", "collective", collective, "rounds", rounds);
    tree.putAll(grid.tree());
    tree.put("manifest", manifest.tree());
    tree.put("notes", notes);
    return Json.pretty(tree);
  }

  private String text(Grid grid, Manifest manifest, NetSweep.Outcome outcome) {
    StringBuilder text = new StringBuilder();
    text.append(collective)
        .append(", medians of ")
        .append(Counted.of(outcome.rounds(), "round"))
        .append('\n');
    outcome
        .notes()
        .forEach(it -> text.append(Wrap.hanging("note: " + it, 4, console.width())).append('\n'));
    text.append('\n');
    text.append(grid.table(console.style())).append('\n');
    text.append(Wrap.hanging(grid.words(), 0, console.width())).append('\n');
    manifest.load().stream()
        .filter(Manifest.Load::noisy)
        .forEach(it -> text.append(Wrap.hanging(it.words(), 0, console.width())).append('\n'));
    return text.toString();
  }
}
