package dev.holdfast.bench.logs;

import dev.holdfast.bench.logs.Scribe.Form;
import dev.holdfast.bench.logs.Scribe.Layout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * Makes the logs of one job from one seed: how large it is, how its logs are written, which of them
 * are lost, what goes wrong and who suffers from it.
 */
final class LogMaker {
  private static final long START = 1_794_800_000_000_000L;
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;

  final SplittableRandom random;
  final LogFault fault;
  final int nodes;
  final int perNode;
  final int ranks;
  final int culprit;
  final Layout layout;
  final Form form;
  final boolean info;
  final boolean kernels;
  final Scribe scribe;

  /** Ranks that say nothing although they are innocent, and ranks without a log. */
  final Set<Integer> cutOff = new TreeSet<>();

  final Set<Integer> lost = new TreeSet<>();
  private final long seed;
  private final long[] skew;
  private final int steps;
  private final int tellers;

  private LogMaker(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 7);
    fault = LogFault.values()[(int) Math.floorMod(seed, (long) LogFault.values().length)];
    nodes = 2 + random.nextInt(7);
    perNode = List.of(2, 4, 8).get(random.nextInt(3));
    ranks = nodes * perNode;
    culprit = random.nextInt(ranks);
    layout = Layout.values()[random.nextInt(3)];
    form = Form.values()[random.nextInt(10) == 0 ? 4 : random.nextInt(4)];
    info = layout == Layout.TORCHRUN_NODES || random.nextInt(3) > 0;
    kernels = random.nextBoolean();
    skew = new long[nodes];
    boolean skewed = random.nextBoolean();
    for (int node = 0; node < nodes; node++) {
      skew[node] = skewed ? random.nextLong(-120 * SECOND, 120 * SECOND) : random.nextLong(20_000);
    }
    steps = 12 + random.nextInt(40);
    tellers = random.nextInt(3);
    scribe = new Scribe(ranks, perNode, form, skew);
  }

  static LogCase make(long seed) {
    return new LogMaker(seed).make();
  }

  private LogCase make() {
    start();
    long now = train();
    noise();
    LogPlot plot = new LogPlot(this, now);
    plot.happen();
    leave();
    Map<String, byte[]> files = scribe.files(layout);
    if (kernels) {
      for (int node = 0; node < nodes; node++) {
        files.put(
            "dmesg-" + Scribe.node(node) + ".txt",
            kernelLog(node, plot).getBytes(StandardCharsets.UTF_8));
      }
    }
    LogLabel label = new LogLabel(this, plot);
    return new LogCase(
        seed,
        fault,
        files,
        label.culprits(),
        label.node(),
        label.nodeOnly(),
        label.decidable(),
        "%dx%d %s %s%s%s steps by %s%s%s"
            .formatted(
                nodes,
                perNode,
                layout,
                form,
                info ? " info" : "",
                kernels ? " kernel" : "",
                List.of("all", "first", "last").get(tellers),
                lost.isEmpty() ? "" : " without " + lost,
                cutOff.isEmpty() ? "" : " cut off " + cutOff));
  }

  int nodeOf(int rank) {
    return rank / perNode;
  }

  String address(int node) {
    return "10.4.0." + (node + 11);
  }

  int pid(int rank) {
    return 40_000 + rank * 17;
  }

  String bus(int rank) {
    return List.of("18", "2a", "3a", "5d", "9a", "ab", "ba", "db").get(rank % perNode);
  }

  /** Whether every rank tells of its steps. */
  boolean allTell() {
    return tellers == 0;
  }

  private void start() {
    for (int rank = 0; rank < ranks; rank++) {
      long at = START + random.nextLong(SECOND);
      scribe.log(rank, at, "Loading configuration from train.yaml");
      if (info) {
        String head =
            "%s:%d:%d [%d] NCCL INFO "
                .formatted(Scribe.node(nodeOf(rank)), pid(rank), pid(rank) + 3, rank % perNode);
        scribe.raw(rank, at + 1, head + "Bootstrap: Using eth0:" + address(nodeOf(rank)) + "<0>");
        scribe.raw(rank, at + 2, head + "NCCL version 2.27.3+cuda12.9");
        scribe.raw(rank, at + 3, head + "Using network IB");
        int next = (rank + 1) % ranks;
        boolean near = nodeOf(next) == nodeOf(rank);
        scribe.raw(
            rank,
            at + 4,
            head
                + "Channel 00/0 : %d[%d] -> %d[%d] %s"
                    .formatted(
                        rank,
                        rank % perNode,
                        next,
                        next % perNode,
                        near ? "via P2P/CUMEM" : "[send] via NET/IB/0/GDRDMA"));
        scribe.raw(
            rank,
            at + 5,
            head
                + "ncclCommInitRank comm 0x55d%d rank %d nranks %d cudaDev %d nvmlDev %d busId %s000 commId 0x9e - Init COMPLETE"
                    .formatted(rank, rank, ranks, rank % perNode, rank % perNode, bus(rank)));
      }
    }
  }

  /** Steps until the fault; gives the time of the last one. */
  private long train() {
    long now = START + MINUTE;
    for (int step = 1; step <= steps; step++) {
      now += 4 * SECOND + random.nextLong(400_000);
      for (int rank = 0; rank < ranks; rank++) {
        boolean tells =
            tellers == 0 || tellers == 1 && rank == 0 || tellers == 2 && rank == ranks - 1;
        if (tells) {
          scribe.log(
              rank,
              now + random.nextLong(60_000),
              "iteration %d/ 10000 | loss %.4f | grad norm %.3f | tokens/s %d"
                  .formatted(
                      step, 7 - step * 0.01, random.nextDouble(), 40_000 + random.nextInt(900)));
        } else if (step % 10 == 0) {
          scribe.log(rank, now + random.nextLong(60_000), "data loader: shard " + step / 10);
        }
      }
    }
    return now;
  }

  /** What looks bad, early, and was survived. */
  private void noise() {
    if (steps < 20 || random.nextInt(3) > 0) {
      return;
    }
    int rank = random.nextInt(ranks);
    long early = START + MINUTE + 10 * SECOND;
    scribe.log(
        rank,
        early,
        List.of(
                "upload of metrics failed, will try again: Connection reset by peer",
                "caught torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB; cache emptied",
                "WARNING checkpoint of another job skipped: [Errno 5] Input/output error",
                "UserWarning: resource_tracker: There appear to be 2 leaked semaphores")
            .get(random.nextInt(4)));
  }

  /** Some innocents' logs are lost, now and then the culprit's. */
  private void leave() {
    if (random.nextInt(4) == 0) {
      for (int i = 1 + random.nextInt(2); i > 0; i--) {
        lost.add(random.nextInt(ranks));
      }
    }
    lost.forEach(scribe::lose);
  }

  private String kernelLog(int node, LogPlot plot) {
    StringBuilder text = new StringBuilder();
    String host = Scribe.node(node);
    String before = stamp(node, START - 3600 * SECOND);
    text.append(before).append(' ').append(host).append(" kernel: Linux version 6.8.0\n");
    text.append(stamp(node, START - 1800 * SECOND))
        .append(' ')
        .append(host)
        .append(" kernel: mlx5_core 0000:5c:00.0 ens1f0np0: Link up\n");
    if (random.nextInt(4) == 0) {
      text.append(stamp(node, START + MINUTE))
          .append(' ')
          .append(host)
          .append(" kernel: EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0\n");
    }
    plot.kernel(node)
        .forEach(
            (time, line) ->
                text.append(stamp(node, time))
                    .append(' ')
                    .append(host)
                    .append(" kernel: ")
                    .append(line)
                    .append('\n'));
    return text.toString();
  }

  private String stamp(int node, long micros) {
    return Form.ISO.show(micros + skew[node]).strip();
  }
}
