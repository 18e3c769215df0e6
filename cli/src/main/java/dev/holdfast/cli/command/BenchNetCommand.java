package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.MachineWatch;
import dev.holdfast.bench.net.Element;
import dev.holdfast.bench.net.MpiBench;
import dev.holdfast.bench.net.NetBench;
import dev.holdfast.bench.net.NetPlan;
import dev.holdfast.bench.net.NetSizes;
import dev.holdfast.bench.net.NetTable;
import dev.holdfast.bench.net.Operation;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.Judgement;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measure collective operations between processes. */
@Command(
    name = "net",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Measure what collective operations get from the network, or from memory: no GPU, no MPI,"
            + " no root.",
    footer = {
      "",
      "Starts the ranks as processes of this machine, or on the hosts named (tcp, not encrypted; strangers are",
      "refused), with a core each where there are enough, has them do the operation and prints nccl-tests'",
      "columns: algbw is size over time, busbw what each link carried at least; GB are 10^9 bytes. p50 and p99",
      "are of single calls, spread is of rounds; the median of rounds is from low to high. Rounds in which",
      "others used the machine are measured again, and it is said. Every result is checked outside of the",
      "measured time. Sizes: 64K, 64KiB, 4M, 1G (binary), 4MB (decimal).",
      "Options of nccl-tests (-b -e -f -n -w -c -d -r -g) and names such as all_reduce_perf are understood.",
      "Exit code 0: measured and right; 1: wrong values, or less than asked for; 3: a rank failed (named; what",
      "was measured before is printed) or nothing could be measured; 130: Ctrl-C, the same.",
      "",
      "Examples:",
      "  holdfast bench net all_reduce                       2 ranks, 1 KiB to 256 MiB",
      "  holdfast bench net all_reduce --ranks 4 --transport tcp --streams 2",
      "  holdfast bench net all_to_all --type bf16 -b 1M -e 64M --format json",
      "  holdfast bench net p2p --transport unix             latency, bandwidth, both ways",
      "  holdfast bench net all_gather --transport mpi       what MPI makes of this machine, in a checkout",
      "  holdfast bench net all_reduce --hosts n[1-4]:2      over ssh; --slurm: the nodes of this job",
      "  srun holdfast bench net all_reduce --rdzv n1:29400  each task a node; also by mpirun",
      "  holdfast bench net all_reduce --rounds 6 --svg all_reduce.svg      a picture for a report",
    })
final class BenchNetCommand implements Callable<Integer> {
  private static final int ROUNDS = 3;

  /** Two runs of fewer are never told apart. */
  private static final int ROUNDS_KEPT = 6;

  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "COLLECTIVE",
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, all_to_all, gather, scatter,"
              + " barrier, or p2p: latency, bandwidth and both ways between two ranks.")
  private @Nullable String collective;

  @Mixin private RankChoice ranks = new RankChoice();

  @Option(
      names = {"--min-bytes", "-b"},
      paramLabel = "SIZE",
      description = "Smallest size. Default: 1KiB; 8 with p2p.")
  private @Nullable String smallest;

  @Option(
      names = {"--max-bytes", "-e"},
      paramLabel = "SIZE",
      description = "Largest size. Default: 256MiB; 4MiB with p2p.")
  private @Nullable String largest;

  @Option(
      names = {"--factor", "-f"},
      paramLabel = "F",
      description = "From one size to the next. Default: 2.")
  private double factor = 2;

  @Option(
      names = {"--iters", "-n"},
      paramLabel = "N",
      description = "Measured calls a round. Default: 0, as many as fit into a third of a second.")
  private int iterations;

  @Option(
      names = {"--warmup", "-w"},
      paramLabel = "N",
      description =
          "Calls before the clock runs, with -n; without it at least so many. Default: 5 and more,"
              + " until they become no faster and Java's compilers rest.")
  private @Nullable Integer warmup;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Rounds of fresh processes; medians of them are shown. Default: 3; with --save 6, so that"
              + " bench diff can tell.")
  private @Nullable Integer rounds;

  @Option(
      names = {"--check", "-c"},
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "1",
      description =
          "0: no value is checked; else every value of one call of each size is. Default: 1.")
  private int check = 1;

  @Option(
      names = {"--type", "-d"},
      paramLabel = "TYPE",
      description = "float, bf16 or int. Default: float.")
  private String type = "float";

  @Option(
      names = {"--root", "-r"},
      paramLabel = "RANK",
      description = "Who gives or gets, in operations with a root. Default: 0.")
  private int root;

  @Option(
      names = "--no-repeat",
      description = "Do not measure noisy rounds again. Default: at most as many as --rounds.")
  private boolean once;

  @Mixin private Checkout checkout = new Checkout();

  @Mixin private RunOutput output = new RunOutput();

  @Mixin private KeepChoice keep = new KeepChoice();

  @Mixin private NetVerdict verdict = new NetVerdict();

  private BenchNetCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new BenchNetCommand(console))
        .addSubcommand(new BenchNetPiecesCommand(console))
        .addSubcommand(new BenchNetFlagCommand(console))
        .addSubcommand(new BenchNetSweepCommand(console))
        .addSubcommand(new BenchNetPairsCommand(console))
        .addSubcommand(new BenchNetCompareCommand(console))
        .addSubcommand(new BenchNetRankCommand());
  }

  @Override
  public Integer call() {
    if (verdict.listing()) {
      console.answer(ExpectChoice.catalogue(console));
      return 0;
    }
    try {
      keep.require();
      List<Collective> wanted = collectives();
      RanksChoice.Placed placed = ranks.place(wanted.contains(Collective.LATENCY));
      NetPlan plan = plan(wanted, placed);
      verdict.prepare(
          keep.ledger(),
          ranks.elsewhere(),
          plan.operations().stream().allMatch(it -> it.collective().judgedByTime()));
      output.prepare(plan.operations().stream().anyMatch(it -> it.bytes() > 0));
      return ranks.lead(console, placed, plan, site -> measure(plan, site));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, String.valueOf(wrong.getMessage()), wrong);
    } catch (IOException cannot) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(cannot), cannot);
    }
  }

  private int measure(NetPlan plan, RankSite site) throws IOException {
    MachineWatch watch = MachineWatch.begin();
    NetBench bench = new NetBench(plan, site, NetMeasuring.watcher(console), !once);
    NetBench.Outcome outcome = plan.transport() == Transport.MPI ? mpi(plan) : bench.run();
    NetMeasuring.Measured measured =
        new NetMeasuring.Measured(
            outcome, NetMeasuring.manifest(plan, bench, outcome, watch, site));
    return keep.answered(
        console,
        measured.manifest(),
        outcome.results(),
        measured.notes(),
        run -> answer(plan, outcome, run));
  }

  private NetBench.Outcome mpi(NetPlan plan) throws IOException {
    String options = System.getenv().getOrDefault("HOLDFAST_MPIRUN_OPTIONS", "").strip();
    return MpiBench.run(
        plan,
        checkout.folder(),
        options.isEmpty() ? List.of() : List.of(options.split("\\s+", -1)),
        NetMeasuring.watcher(console),
        !once);
  }

  private int answer(NetPlan plan, NetBench.Outcome outcome, LedgerRun run) {
    boolean failed = !outcome.failure().isEmpty();
    NetVerdict.Judged judged = failed ? NetVerdict.Judged.NOTHING : verdict.judge(run);
    output.write(
        console,
        run,
        () -> NetTable.of(plan, run) + told(judged),
        () -> json(run, judged.judgements()));
    if (failed) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, outcome.failure());
    }
    judged.require();
    verdict.tell(run, judged.losses(), console);
    return outcome.wrong() || !judged.losses().isEmpty() ? 1 : 0;
  }

  private String told(NetVerdict.Judged judged) {
    return judged.judgements().isEmpty()
        ? judged.losses().stream()
            .map(it -> "# too little: " + it + "\n")
            .collect(Collectors.joining())
        : ExpectChoice.text(judged.judgements(), console);
  }

  private static String json(LedgerRun run, List<Judgement> judgements) {
    Map<String, @Nullable Object> tree = run.tree();
    if (!judgements.isEmpty()) {
      tree.put("judgements", judgements.stream().map(Judgement::tree).toList());
    }
    return Json.pretty(tree);
  }

  private List<Collective> collectives() {
    if (collective == null) {
      throw new IllegalArgumentException("name a collective, such as all_reduce");
    }
    return collectives(collective);
  }

  private NetPlan plan(List<Collective> wanted, RanksChoice.Placed placed) {
    if (check < 0) {
      throw new IllegalArgumentException("--check: 0 or more, not " + check);
    }
    int count = placed.ranks();
    boolean pair = wanted.contains(Collective.LATENCY);
    if (pair && count != 2) {
      throw new IllegalArgumentException("p2p is between 2 ranks, not " + count);
    }
    Element element =
        Element.named(type)
            .orElseThrow(
                () ->
                    new IllegalArgumentException("--type: float, bf16 or int, not '" + type + "'"));
    NetSizes sizes =
        new NetSizes(
            bytes(smallest, pair ? "8" : "1KiB"), bytes(largest, pair ? "4MiB" : "256MiB"), factor);
    List<Operation> operations = new ArrayList<>();
    wanted.forEach(it -> operations.addAll(sizes.of(it, element, root, count)));
    return ranks.plan(
        placed,
        operations,
        iterations,
        warmup == null ? NetPlan.UNTIL_WARM : warmup,
        check != 0,
        rounds != null ? rounds : keep.asked() ? ROUNDS_KEPT : ROUNDS);
  }

  private static long bytes(@Nullable String given, String otherwise) {
    return Bytes.parse(given == null ? otherwise : given).count();
  }

  private static List<Collective> collectives(String word) {
    Collective named =
        Collective.named(word)
            .orElseThrow(() -> new IllegalArgumentException("no collective: '" + word + "'"));
    return switch (named) {
      case SEND_RECV -> List.of(Collective.LATENCY, Collective.BANDWIDTH, Collective.BIDIRECTIONAL);
      case HYPERCUBE -> throw new IllegalArgumentException("hypercube is not measured");
      default -> List.of(named);
    };
  }
}
