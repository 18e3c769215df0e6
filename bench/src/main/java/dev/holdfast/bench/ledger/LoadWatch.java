package dev.holdfast.bench.ledger;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/**
 * How busy do others keep this machine and its network, from now on?
 *
 * <p>What others used of the processors is what all of them were busy with, less what this process
 * and its children used; a child that ended counts once somebody waited for it.
 */
public final class LoadWatch {
  private static final double TICKS = 100;
  private static final Path SYS = Path.of("/sys");

  private final long began = System.nanoTime();
  private final double load = load();
  private final double busy;
  private final double stolen;
  private final double own;
  private final long wire = loopbackBytes();
  private final Map<String, Long> congestion = CongestionCounters.read(SYS);

  private LoadWatch() {
    double[] jiffies = jiffies();
    busy = busy(jiffies);
    stolen = jiffies[7] / TICKS;
    own = ownSeconds();
  }

  public static LoadWatch begin() {
    return new LoadWatch();
  }

  /** How long it has been watched. */
  public double seconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  /** What there is to say now, where nothing is known of our own part of the traffic. */
  public Manifest.Load end() {
    return end(Manifest.Load.NOT_COUNTED);
  }

  /**
   * What there is to say now.
   *
   * @param ownBytes that we moved over loopback at most; {@link Manifest.Load#NOT_COUNTED} where
   *     loopback is not what is measured
   */
  public Manifest.Load end(long ownBytes) {
    double seconds = seconds();
    double[] jiffies = jiffies();
    double processors = Runtime.getRuntime().availableProcessors();
    double others = (busy(jiffies) - busy - (ownSeconds() - own)) / seconds;
    return new Manifest.Load(
        load,
        load(),
        rounded(Math.max(0, others)),
        rounded((jiffies[7] / TICKS - stolen) / seconds / processors),
        ownBytes < 0 ? Manifest.Load.NOT_COUNTED : foreign(ownBytes, seconds),
        CongestionCounters.growth(congestion, CongestionCounters.read(SYS)),
        0);
  }

  private long foreign(long ownBytes, double seconds) {
    return Math.max(0, Math.round((loopbackBytes() - wire - ownBytes) / seconds));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static long loopbackBytes() {
    return InterfaceBytes.received(MachineFacts.read("/proc/net/dev"), "lo");
  }

  private static double ownSeconds() {
    String[] fields =
        MachineFacts.read("/proc/self/stat").replaceFirst("^.*\\) ", "").split(" ", -1);
    double own = 0;
    for (int i = 11; i <= 14 && i < fields.length; i++) {
      own += number(fields[i]) / TICKS;
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
      jiffies[i] = number(fields[i]);
    }
    return jiffies;
  }

  private static double busy(double[] jiffies) {
    return (Arrays.stream(jiffies, 0, 3).sum() + jiffies[5] + jiffies[6]) / TICKS;
  }

  private static double load() {
    try {
      return Double.parseDouble(MachineFacts.load());
    } catch (NumberFormatException untold) {
      return 0;
    }
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
