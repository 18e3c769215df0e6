package dev.holdfast.cli.command;

import dev.holdfast.bench.blame.CommandMeasure;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.blame.Blame;
import dev.holdfast.core.network.blame.BlameReport;
import dev.holdfast.core.network.blame.Endpoint;
import dev.holdfast.core.network.blame.Leaves;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which node, link or leaf spoils the network? */
@Command(
    name = "blame",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Find which node, link or leaf spoils the network, in rounds of pairs.",
    footer = {
      "",
      "COMMAND measures one pair: it is given the two names, in place of {a} and {b} or at its end,"
          + " and",
      "prints GB/s or what a benchmark prints that bench import knows. Pairs of a round run at the"
          + " same",
      "time and share no node. That it fails or overruns means that the pair fails.",
      "",
      "First neighbours under each leaf are measured, then suspects with partners that are proven"
          + " good,",
      "then what is left to tell a link from a node. Nobody is blamed without two such partners.",
      "",
      "Exit code 1 when something is blamed, 0 when not.",
      "",
      "Examples:",
      "  holdfast bench blame --hosts gpu[001-064] -- ./pair.sh",
      "  holdfast bench blame --leaves /etc/slurm/topology.conf -- ssh {a} iperf3 -J -t 3 -c {b}",
    })
final class BenchBlameCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description = "Which nodes, such as gpu[001-064]. Default: all that --leaves names.")
  private @Nullable String hosts;

  @Option(
      names = "--leaves",
      paramLabel = "FILE",
      description =
          "Which node is under which leaf: lines such as 'leaf1: gpu[001-032]', or Slurm's"
              + " topology.conf. Without it uplinks are not told from nodes.")
  private @Nullable Path leaves;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "2 where links are trusted. Default: 3.")
  private int rounds = Blame.WITH_LINKS;

  @Option(names = "--timeout", paramLabel = "TIME", description = "For one pair. Default: 60s.")
  private String timeout = "60s";

  @Option(
      names = "--at-once",
      paramLabel = "N",
      description = "Pairs measured at the same time at most. Default: 64.")
  private int atOnce = 64;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Another one pairs the nodes otherwise. Default: 1.")
  private long seed = 1;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "Measures one pair.")
  private List<String> command = List.of();

  BenchBlameCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try {
      List<Endpoint> endpoints = endpoints();
      if (endpoints.size() < 2 || atOnce < 1) {
        throw new IllegalArgumentException("fewer than two nodes, or none at once");
      }
      CommandMeasure measure =
          new CommandMeasure(command, Durations.parse(timeout), atOnce, console::progress);
      BlameReport report = Blame.find(endpoints, measure, rounds, seed);
      console.answer(
          format == TableOrJson.JSON
              ? json(report)
              : BlameText.of(report, "try the command by hand", console));
      return report.blamed().isEmpty() ? 0 : 1;
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private List<Endpoint> endpoints() {
    Map<String, String> known =
        leaves == null ? Map.of() : LineFile.read("--leaves", leaves, Leaves::parse);
    if (hosts == null && known.isEmpty()) {
      throw new IllegalArgumentException("--hosts or --leaves must name the nodes");
    }
    List<String> nodes = hosts == null ? List.copyOf(known.keySet()) : Hostlist.expand(hosts);
    return Leaves.endpoints(nodes, known);
  }

  private static String json(BlameReport report) {
    Map<String, @Nullable Object> tree = Json.map("schema", "holdfast.bench.blame/1");
    tree.putAll(report.tree());
    return Json.pretty(tree);
  }
}
