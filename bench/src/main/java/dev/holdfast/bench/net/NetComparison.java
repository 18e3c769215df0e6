package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import dev.holdfast.core.network.NetResult;
import dev.holdfast.core.statistics.Robust;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Our all_reduce beside those of others, in rounds: every program has its turn with each size in
 * each round, with fresh processes, and only figures of the same round are compared. A turn in
 * which a hypervisor moved the cores apart is taken again, whosever it was.
 */
public final class NetComparison {
  private final int ranks;
  private final List<Long> sizes;
  private final int rounds;
  private final NetPeer.Found found;
  private final Consumer<String> log;
  private final Map<String, Map<Long, List<Double>>> seconds = new LinkedHashMap<>();
  private final CoreWatch watch;
  private final CompilerWatch compilers = new CompilerWatch();
  private final long begun = System.nanoTime();
  private int done;
  private int complete;

  /**
   * One size beside one peer.
   *
   * @param ours busbw in GB/s, the median of rounds
   * @param ratio of busbw in the same round: median, lowest and highest
   */
  public record Row(
      String peer, String transport, long bytes, double ours, double theirs, double[] ratio) {}

  /**
   * @param rounds how many are complete; only they count
   * @param notes what a reader must know of how it was measured
   * @param missing peers that are not there, and why
   * @param failure why it ended early
   */
  public record Result(
      int ranks,
      int rounds,
      List<Row> rows,
      List<String> notes,
      List<String> missing,
      Optional<IOException> failure) {}

  private NetComparison(
      int ranks, List<Long> sizes, int rounds, NetPeer.Found found, Consumer<String> log) {
    this.ranks = ranks;
    this.sizes = sizes;
    this.rounds = rounds;
    this.found = found;
    this.log = log;
    this.watch = new CoreWatch(log);
  }

  public static Result run(
      Path checkout, String python, int ranks, List<Long> sizes, int rounds, Consumer<String> log)
      throws IOException {
    return run(NetPeer.find(checkout, python, log), ranks, sizes, rounds, log);
  }

  static Result run(
      NetPeer.Found found, int ranks, List<Long> sizes, int rounds, Consumer<String> log)
      throws IOException {
    return new NetComparison(ranks, sizes, rounds, found, log).run();
  }

  private Result run() throws IOException {
    // Our own TCP is what Unix sockets are measured by.
    found
        .peers()
        .add(
            new NetPeer(
                Transport.TCP.word(),
                Transport.UNIX,
                (count, bytes) -> ours(Transport.TCP, count, bytes)));
    Map<String, NetPeer.Program> programs = new LinkedHashMap<>();
    for (NetPeer peer : found.peers()) {
      programs.putIfAbsent(
          peer.against().word(), (count, bytes) -> ours(peer.against(), count, bytes));
      programs.put(peer.name(), peer.program());
    }
    List<Integer> cores =
        FreeCores.apart(CpuAffinity.permitted().stream().boxed().toList(), Path.of("/"));
    List<Integer> used = cores.subList(0, Math.min(ranks, cores.size()));
    List<Map.Entry<String, NetPeer.Program>> order = new ArrayList<>(programs.entrySet());
    try {
      while (complete < rounds) {
        round(order, used);
        complete++;
      }
    } catch (IOException failure) {
      if (complete == 0) {
        throw failure;
      }
      // Heard, whoever waited; what is written from now on must not be closed for it.
      Thread.interrupted();
      return result(Optional.of(failure));
    }
    return result(Optional.empty());
  }

  /** Every program has its turn with each size. */
  private void round(List<Map.Entry<String, NetPeer.Program>> order, List<Integer> cores)
      throws IOException {
    for (long bytes : sizes) {
      log.accept(
          "round %d of %d: %s%s".formatted(complete + 1, rounds, Bytes.of(bytes), left(done++)));
      for (Map.Entry<String, NetPeer.Program> turn : order) {
        Map<Long, Double> medians =
            watch.during(cores, () -> turn.getValue().run(ranks, List.of(bytes)));
        seconds
            .computeIfAbsent(turn.getKey(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(bytes, _ -> new ArrayList<>())
            .add(medians.getOrDefault(bytes, Double.NaN));
      }
      Collections.rotate(order, 1);
    }
  }

  private Result result(Optional<IOException> failure) {
    List<Row> rows = new ArrayList<>();
    for (NetPeer peer : found.peers()) {
      sizes.forEach(bytes -> rows.add(row(peer, bytes)));
    }
    return new Result(
        ranks,
        complete,
        rows,
        Stream.concat(watch.notes().stream(), compilers.notes().stream()).toList(),
        found.missing().stream().map(it -> it.name() + ": " + it.why()).toList(),
        failure);
  }

  /** How long it will still take, once a round of all sizes has told. */
  private String left(int before) {
    if (before < sizes.size()) {
      return "";
    }
    double each = (System.nanoTime() - begun) / 1e9 / before;
    long more = Math.round(each * (rounds * sizes.size() - before));
    return ", " + (more < 90 ? more + " s" : Math.round(more / 60.0) + " min") + " left";
  }

  private Map<Long, Double> ours(Transport transport, int count, List<Long> bytes)
      throws IOException {
    List<Operation> operations =
        bytes.stream()
            .map(it -> Operation.of(Collective.ALL_REDUCE, it, Element.FLOAT, 0, count))
            .toList();
    NetBench.Outcome outcome =
        new NetBench(
                new NetPlan(
                    operations, count, transport, 1, 0, NetPlan.UNTIL_WARM, true, 1, true, 60),
                new ThisMachine(),
                new NetBench.Watcher() {},
                false,
                compilers)
            .run();
    if (!outcome.failure().isEmpty() || outcome.wrong()) {
      throw new IOException(outcome.failure().isEmpty() ? "wrong values" : outcome.failure());
    }
    Map<Long, Double> medians = new LinkedHashMap<>();
    for (NetResult result : outcome.results()) {
      medians.put(result.bytes(), result.latency().p50());
    }
    return medians;
  }

  private Row row(NetPeer peer, long bytes) {
    double[] ours = times(peer.against().word(), bytes);
    double[] theirs = times(peer.name(), bytes);
    double[] ratios = new double[ours.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = theirs[i] / ours[i];
    }
    return new Row(
        peer.name(),
        peer.against().word(),
        bytes,
        busbw(bytes, Robust.median(ours)),
        busbw(bytes, Robust.median(theirs)),
        new double[] {
          Robust.median(ratios),
          Arrays.stream(ratios).min().orElse(Double.NaN),
          Arrays.stream(ratios).max().orElse(Double.NaN)
        });
  }

  private double[] times(String name, long bytes) {
    return seconds.getOrDefault(name, Map.of()).getOrDefault(bytes, List.of()).stream()
        .limit(complete)
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private double busbw(long bytes, double time) {
    Collective sum = Collective.ALL_REDUCE;
    return sum.busbw(sum.algbw(bytes, ranks, time), ranks);
  }
}
