package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.MachineWatch;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.bench.ledger.RunMetrics;
import dev.holdfast.bench.net.PairBench;
import dev.holdfast.bench.net.PairPlan;
import dev.holdfast.bench.net.PairReport;
import dev.holdfast.bench.net.PairSvg;
import dev.holdfast.bench.net.PairText;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.NetCsv;
import dev.holdfast.core.network.blame.Blame;
import dev.holdfast.core.network.blame.BlameReport;
import dev.holdfast.core.network.blame.Endpoint;
import dev.holdfast.core.network.blame.Leaves;
import dev.holdfast.core.network.blame.Rails;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Point to point between every two ranks, or only as far as needed to name a fault. */
@Command(
    name = "pairs",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measure every pair of ranks, or find which host, link or leaf is to blame.",
    footer = {
      "",
      "Pairs are measured in rounds in which each rank has one partner: small messages there and back, then",
      "a stream. Exchanges that take as long as TCP waits before it sends something again are counted: they",
      "tell that packets are lost. A rank that fails is named and left out; the others go on.",
      "",
      "--blame measures only what it takes to name a fault: neighbours under each leaf first, then suspects",
      "with partners that are proven good, inside their leaf and across. What pairs reach is counted with",
      "the waits for lost packets.",
      "",
      "Exit code 1 when a pair failed or, with --blame, something is blamed; else 0.",
      "",
      "Examples:",
      "  holdfast bench net pairs --hosts gpu[001-016] --svg pairs.svg",
      "  holdfast bench net pairs --slurm --blame --leaves /etc/slurm/topology.conf",
    })
final class BenchNetPairsCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description =
          "How many processes. Default: 2; on hosts, as many as they have slots; with --slurm one on"
              + " each node, for each card that --interface names.")
  private @Nullable Integer ranks;

  @Mixin private RanksChoice where = new RanksChoice();

  @Option(names = "--transport", paramLabel = "NAME", description = "tcp or unix. Default: tcp.")
  private String transport = "tcp";

  @Option(
      names = "--streams",
      paramLabel = "K",
      description = "Sockets for each pair, each way. Default: 1.")
  private int streams = 1;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      description = "Of a message of the stream; 64 are on their way at once. Default: 32KiB.")
  private String bytes = "32KiB";

  @Option(
      names = "--exchanges",
      paramLabel = "N",
      description = "Small messages there and back for each pair. Default: 200.")
  private int exchanges = 200;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long a stream lasts, about. Default: 0.5.")
  private double seconds = 0.5;

  @Option(
      names = "--no-bind",
      description = "Leave it to the kernel where ranks run, and do not keep cores busy waiting.")
  private boolean unbound;

  @Option(
      names = "--timeout",
      paramLabel = "S",
      description = "A pair in which nothing moves for so many seconds has failed. Default: 15.")
  private double timeout = 15;

  @Option(names = "--blame", description = "Measure only what it takes to name what is at fault.")
  private boolean blame;

  @Option(
      names = "--leaves",
      paramLabel = "FILE",
      description =
          "With --blame, which host is under which leaf: lines such as 'leaf1: gpu[001-032]', or"
              + " Slurm's topology.conf.")
  private @Nullable Path leaves;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "With --blame: 2 where links are trusted. Default: 3.")
  private int rounds = Blame.WITH_LINKS;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "With --blame: another one pairs the hosts otherwise. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Draw all pairs as a heat map; - for standard output alone.")
  private @Nullable String svg;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "table, json, csv, or prometheus (for the node exporter's textfile folder); with --blame"
              + " table or json. Default: table.")
  private RunFormat format = RunFormat.TABLE;

  @Mixin private KeepChoice keep = new KeepChoice();

  BenchNetPairsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try {
      if (blame && svg != null) {
        throw new IllegalArgumentException("--svg draws all pairs; --blame measures few of them");
      }
      if (blame && keep.asked()) {
        throw new IllegalArgumentException("--save keeps all pairs; --blame measures few of them");
      }
      if (blame && format != RunFormat.TABLE && format != RunFormat.JSON) {
        throw new IllegalArgumentException("--format: with --blame table or json");
      }
      keep.require();
      if (leaves != null && !blame) {
        throw new IllegalArgumentException(
            "--leaves is for --blame: add it, or leave --leaves out");
      }
      if (svg != null) {
        PictureFile.requirePlace(svg);
      }
      RanksChoice.Placed placed = where.placeForEachCard(ranks);
      placed.requireTwo(ranks);
      Transport chosen = where.transport(transport, placed.ranks());
      PairPlan plan =
          new PairPlan(
              placed.ranks(),
              chosen,
              streams,
              Bytes.parse(bytes).count(),
              exchanges,
              seconds,
              !unbound,
              timeout);
      return where.lead(console, placed, plan.words(), timeout, site -> measure(plan, site));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException cannot) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(cannot), cannot);
    }
  }

  private int measure(PairPlan plan, RankSite site) throws IOException {
    List<String> names = PairReport.names(site, plan.ranks());
    Map<String, List<Endpoint>> rails = blame ? rails(site, plan.ranks()) : Map.of();
    MachineWatch watch = MachineWatch.begin();
    try (PairBench bench = PairBench.start(plan, site, console::progress)) {
      if (blame) {
        Map<String, BlameReport> found = new LinkedHashMap<>();
        rails.forEach(
            (card, endpoints) ->
                found.put(card, Blame.find(endpoints, bench.measure(names), rounds, seed)));
        BlameReport report = Rails.merged(found);
        PairReport measured = new PairReport(plan, names, bench.cards(), bench.results());
        Manifest manifest = manifest(plan, site, bench, watch);
        console.answer(
            format == RunFormat.JSON
                ? json(measured, manifest, report)
                : BlameText.of(report, "is it the right card? see --interface", console)
                    + NetMeasuring.noise(manifest, console));
        return report.blamed().isEmpty() ? 0 : 1;
      }
      PairReport report = new PairReport(plan, names, bench.cards(), bench.all());
      Manifest manifest = manifest(plan, site, bench, watch);
      List<String> notes = new ArrayList<>(report.failures());
      if (bench.stopped()) {
        notes.add("interrupted: not every pair had its turn");
        console.message(notes.getLast());
      }
      return keep.answered(
          console, manifest, report.kept(), notes, run -> answer(run, report, title(plan, site)));
    }
  }

  private int answer(LedgerRun run, PairReport report, String title) {
    if (!PictureFile.ANSWER.equals(svg)) {
      console.answer(
          switch (format) {
            case TABLE ->
                title
                    + "\n"
                    + PairText.of(report, console.width())
                    + NetMeasuring.noise(run.manifest(), console);
            case JSON -> json(report, run.manifest(), null);
            case CSV -> NetCsv.of(run.results());
            case PROMETHEUS -> RunMetrics.of(run);
          });
    }
    if (svg != null) {
      PictureFile.write(PairSvg.of(report, title), svg, console);
    }
    return report.failures().isEmpty() ? 0 : 1;
  }

  /** Endpoints that can prove each other good, by the card they have; one rank of each host. */
  private Map<String, List<Endpoint>> rails(RankSite site, int count) {
    Map<String, String> known =
        leaves == null ? Map.of() : LineFile.read("--leaves", leaves, Leaves::parse);
    List<String> names = PairReport.names(site, count);
    Map<String, List<Endpoint>> rails = new LinkedHashMap<>();
    boolean cards = site.networks().size() > 1;
    for (int rank = 0; rank < count; rank++) {
      String host = site.remote() ? site.hosts().get(rank) : names.get(rank);
      if (!cards && !names.get(rank).equals(host)) {
        throw new IllegalArgumentException("--blame looks at hosts: give each of them one slot");
      }
      Endpoint plain = Leaves.endpoints(List.of(host), known).getFirst();
      String card = cards ? site.network(rank) : "";
      rails
          .computeIfAbsent(card, _ -> new ArrayList<>())
          .add(new Endpoint(host, card, plain.leaf()));
    }
    return rails;
  }

  private static String title(PairPlan plan, RankSite site) {
    int hosts = RanksChoice.hosts(site).size();
    return "Every pair of %d ranks on %s over %s"
        .formatted(
            plan.ranks(),
            site.remote() ? hosts + (hosts == 1 ? " host" : " hosts") : "this machine",
            plan.transport().word());
  }

  private static Manifest manifest(
      PairPlan plan, RankSite site, PairBench bench, MachineWatch watch) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>(bench.machines());
    facts.put("ranks", Integer.toString(plan.ranks()));
    facts.put("transport", plan.transport().word());
    facts.put("streams", Integer.toString(plan.streams()));
    facts.put("exchanges", Integer.toString(plan.exchanges()));
    facts.put("streamSeconds", Double.toString(plan.streamSeconds()));
    return NetMeasuring.manifest(watch, site, facts, bench.cards(), bench.load().stream().toList());
  }

  private static String json(PairReport report, Manifest manifest, @Nullable BlameReport blamed) {
    Map<String, @Nullable Object> tree = Json.map("schema", "holdfast.bench.pairs/1");
    tree.putAll(report.tree());
    tree.put("manifest", manifest.tree());
    if (blamed != null) {
      tree.put("blame", blamed.tree());
    }
    return Json.pretty(tree);
  }
}
