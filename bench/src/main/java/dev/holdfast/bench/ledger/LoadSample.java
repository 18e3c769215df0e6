package dev.holdfast.bench.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.libc.CardStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How busy was a machine so far, and a process of ours on it? Two of them tell how busy others kept
 * it between.
 *
 * @param machine another one in every start of every machine
 * @param seconds by a clock of the machine's own
 * @param load the load average of a minute
 * @param busy seconds its processors worked, all together
 * @param stolen seconds the hypervisor gave to others, all processors together
 * @param own seconds of processors this process and its children used; a child that ended counts
 *     once somebody waited for it
 * @param congestion what the adapters' counters of congestion say
 * @param wire what came in over the card of this process
 */
public record LoadSample(
    String machine,
    double seconds,
    double load,
    double busy,
    double stolen,
    double own,
    int processors,
    Map<String, Long> congestion,
    CardBytes wire) {
  private static final double TICKS = 100;
  private static final Path SYS = Path.of("/sys");

  public LoadSample {
    congestion = Map.copyOf(congestion);
  }

  public static LoadSample now() {
    return now(CardBytes.UNKNOWN);
  }

  public static LoadSample now(CardBytes wire) {
    double[] jiffies = jiffies();
    return new LoadSample(
        MachineFacts.read("/proc/sys/kernel/random/boot_id").strip(),
        System.nanoTime() / 1e9,
        decimal(MachineFacts.load()),
        (Arrays.stream(jiffies, 0, 3).sum() + jiffies[5] + jiffies[6]) / TICKS,
        jiffies[7] / TICKS,
        ownSeconds(),
        Runtime.getRuntime().availableProcessors(),
        CongestionCounters.read(SYS, CardStatistics::read),
        wire);
  }

  /**
   * How busy others kept one machine.
   *
   * @param before as each process of ours there saw it
   * @param after the same processes in the same order
   */
  public static Manifest.Load between(List<LoadSample> before, List<LoadSample> after) {
    LoadSample first = before.getFirst();
    LoadSample last = after.getFirst();
    double seconds = last.seconds - first.seconds;
    double ours =
        after.stream().mapToDouble(LoadSample::own).sum()
            - before.stream().mapToDouble(LoadSample::own).sum();
    return new Manifest.Load(
        first.load,
        last.load,
        rounded(Math.max(0, (last.busy - first.busy - ours) / seconds)),
        rounded((last.stolen - first.stolen) / seconds / last.processors),
        foreign(before, after, seconds),
        CongestionCounters.growth(first.congestion, last.congestion),
        0);
  }

  /** Bytes a second of others on the card with most of them. */
  private static long foreign(List<LoadSample> before, List<LoadSample> after, double seconds) {
    return after.stream()
        .map(it -> it.wire.card())
        .distinct()
        .mapToDouble(card -> CardBytes.foreign(on(card, before), on(card, after)))
        .mapToLong(it -> it < 0 ? Manifest.Load.NOT_COUNTED : Math.round(it / seconds))
        .max()
        .orElse(Manifest.Load.NOT_COUNTED);
  }

  private static List<CardBytes> on(String card, List<LoadSample> samples) {
    return samples.stream().map(LoadSample::wire).filter(it -> it.card().equals(card)).toList();
  }

  /**
   * How busy others kept the busiest of several machines; hosts may be containers of one. None
   * where nobody looked.
   *
   * @param before as each process of ours saw its machine
   * @param after the same processes in the same order
   */
  public static Optional<Manifest.Load> worst(List<LoadSample> before, List<LoadSample> after) {
    return before.stream()
        .map(LoadSample::machine)
        .distinct()
        .map(machine -> between(of(machine, before), of(machine, after)))
        .reduce(Manifest.Load::and);
  }

  private static List<LoadSample> of(String machine, List<LoadSample> samples) {
    return samples.stream().filter(it -> it.machine.equals(machine)).toList();
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "machine", machine,
        "seconds", seconds,
        "load", load,
        "busy", busy,
        "stolen", stolen,
        "own", own,
        "processors", processors,
        "congestion", new TreeMap<>(congestion),
        "wire", wire.tree());
  }

  public static LoadSample read(Fields fields) {
    Map<String, Long> congestion = new TreeMap<>();
    Fields counted = fields.object("congestion");
    counted.names().forEach(name -> congestion.put(name, counted.number(name)));
    return new LoadSample(
        fields.text("machine"),
        fields.decimal("seconds", 0),
        fields.decimal("load", 0),
        fields.decimal("busy", 0),
        fields.decimal("stolen", 0),
        fields.decimal("own", 0),
        fields.integer("processors", 1),
        congestion,
        CardBytes.read(fields.object("wire")));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static double ownSeconds() {
    String[] fields =
        MachineFacts.read("/proc/self/stat").replaceFirst("^.*\\) ", "").split(" ", -1);
    double own = 0;
    for (int i = 11; i <= 14 && i < fields.length; i++) {
      own += decimal(fields[i]) / TICKS;
    }
    return own
        + ProcessHandle.current()
            .descendants()
            .map(it -> it.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToDouble(it -> it.toNanos() / 1e9)
            .sum();
  }

  /** user nice system idle iowait irq softirq steal, in ticks of all processors. */
  private static double[] jiffies() {
    String first = MachineFacts.read("/proc/stat").lines().findFirst().orElse("");
    double[] jiffies = new double[8];
    String[] fields = first.replaceFirst("^cpu\\s+", "").split("\\s+", -1);
    for (int i = 0; i < jiffies.length && i < fields.length; i++) {
      jiffies[i] = decimal(fields[i]);
    }
    return jiffies;
  }

  private static double decimal(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
