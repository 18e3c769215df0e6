package dev.holdfast.bench.ledger;

import dev.holdfast.os.file.BoundedFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at this machine from the beginning of a measurement to its end: what it is, and how busy
 * others kept it meanwhile.
 *
 * <p>What others used is what all processors were busy with, less what this process and its
 * children used; a child that ended counts once somebody waited for it.
 */
public final class MachineWatch {
  private static final double TICKS = 100;
  private static final List<String> SETTINGS =
      List.of(
          "net/core/rmem_max",
          "net/core/wmem_max",
          "net/ipv4/tcp_rmem",
          "net/ipv4/tcp_wmem",
          "net/ipv4/tcp_congestion_control");

  private final long began = System.nanoTime();
  private final double load = load();
  private final double busy;
  private final double stolen;
  private final double own;

  private MachineWatch() {
    double[] jiffies = jiffies();
    busy = busy(jiffies);
    stolen = jiffies[7] / TICKS;
    own = ownSeconds();
  }

  public static MachineWatch begin() {
    return new MachineWatch();
  }

  /**
   * What there is to say at the end.
   *
   * @param hosts that took part
   * @param facts of the benchmark itself: ranks, transport, binding
   */
  public Manifest end(List<String> hosts, String version, Map<String, String> facts) {
    double seconds = (System.nanoTime() - began) / 1e9;
    double[] jiffies = jiffies();
    double processors = Runtime.getRuntime().availableProcessors();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("version", version);
    all.put("kernel", read("/proc/sys/kernel/osrelease").strip());
    all.put("processor", processor());
    all.put("processors", Integer.toString((int) processors));
    all.put("java", Runtime.version().toString());
    all.put("jvm", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    for (String setting : SETTINGS) {
      String value = read("/proc/sys/" + setting).strip().replaceAll("\\s+", " ");
      if (!value.isEmpty()) {
        all.put(setting.substring(setting.lastIndexOf('/') + 1), value);
      }
    }
    all.putAll(facts);
    double others = (busy(jiffies) - busy - (ownSeconds() - own)) / seconds;
    return new Manifest(
        hosts,
        nics(),
        all,
        List.of(
            new Manifest.Load(
                load,
                load(),
                rounded(Math.max(0, others)),
                rounded((jiffies[7] / TICKS - stolen) / seconds / processors))));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  private static List<Manifest.Nic> nics() {
    List<Manifest.Nic> nics = new ArrayList<>();
    for (String name : BoundedFile.list(Path.of("/sys/class/net"), 256).names()) {
      Path folder = Path.of("/sys/class/net", name);
      String state = read(folder + "/operstate").strip();
      if (state.equals("up") || name.equals("lo")) {
        String driver = BoundedFile.link(folder.resolve("device/driver")).text().orElse("");
        nics.add(
            new Manifest.Nic(
                name,
                Math.max(0, number(read(folder + "/speed"))),
                (int) number(read(folder + "/mtu")),
                driver.substring(driver.lastIndexOf('/') + 1)));
      }
    }
    return nics;
  }

  private static double ownSeconds() {
    String[] fields = read("/proc/self/stat").replaceFirst("^.*\\) ", "").split(" ", -1);
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
    String first = read("/proc/stat").lines().findFirst().orElse("");
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
      return Double.parseDouble(read("/proc/loadavg").split(" ", -1)[0]);
    } catch (NumberFormatException untold) {
      return 0;
    }
  }

  private static String processor() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException untold) {
      return 0;
    }
  }

  private static String read(String file) {
    return BoundedFile.read(Path.of(file), 4 << 20).text().orElse("");
  }
}
