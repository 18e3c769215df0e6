package dev.holdfast.bench.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Under which conditions was it measured? Without these, two figures cannot be compared.
 *
 * @param hosts that took part
 * @param nics of this machine, where it took part
 * @param facts whatever else is the same when the conditions are: kernel, processor, settings
 * @param load what kept the machines busy meanwhile, of several the worst; empty where nobody
 *     looked
 */
public record Manifest(
    List<String> hosts, List<Nic> nics, Map<String, String> facts, List<Load> load) {
  public static final Manifest NONE = new Manifest(List.of(), List.of(), Map.of(), List.of());

  public Manifest {
    hosts = List.copyOf(hosts);
    nics = List.copyOf(nics);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    load = List.copyOf(load);
  }

  /** The same, measured while the machine was as busy as that. */
  public Manifest during(Load watched) {
    return new Manifest(hosts, nics, facts, List.of(watched));
  }

  /** One network interface; speed 0 where the driver does not tell. */
  public record Nic(String name, long megabitsPerSecond, int mtu, String driver) {
    /** For people: {@code eth0, 100000 Mb/s, mtu 9000, mlx5_core}. */
    public String words() {
      return "%s, %s, mtu %d%s"
          .formatted(
              name,
              megabitsPerSecond == 0 ? "speed not told" : megabitsPerSecond + " Mb/s",
              mtu,
              driver.isEmpty() ? "" : ", " + driver);
    }

    Map<String, @Nullable Object> tree() {
      return Json.map(
          "name", name, "megabitsPerSecond", megabitsPerSecond, "mtu", mtu, "driver", driver);
    }

    static Nic read(Fields fields) {
      return new Nic(
          fields.text("name"),
          fields.number("megabitsPerSecond", 0),
          fields.integer("mtu", 0),
          fields.text("driver", ""));
    }
  }

  /**
   * How busy the machine was while it was measured.
   *
   * @param before the load average of a minute when it began
   * @param others how many cores processes other than the benchmark's used
   * @param steal the share of the time the hypervisor gave to others
   * @param foreign bytes a second on the wire beyond our own; {@link #NOT_COUNTED} where nobody
   *     counted
   * @param congestion by how much the adapters' counters of congestion grew, those that did
   * @param apart how long a line of cache took between cores of neighbours and back, in
   *     nanoseconds; 0 where nobody looked
   */
  public record Load(
      double before,
      double after,
      double others,
      double steal,
      long foreign,
      Map<String, Long> congestion,
      double apart) {
    public static final long NOT_COUNTED = -1;

    /** More than this of a core taken by others and the figures are theirs too. */
    private static final double BUSY = 0.1;

    private static final double STOLEN = 0.01;

    /** A percent or so of what loopback carries. */
    private static final long MUCH = 20_000_000;

    public Load {
      congestion = Collections.unmodifiableMap(new TreeMap<>(congestion));
    }

    public Load(double before, double after, double others, double steal) {
      this(before, after, others, steal, NOT_COUNTED, Map.of(), 0);
    }

    /** The same, with cores so many nanoseconds apart. */
    public Load apart(double nanos) {
      return new Load(
          before, after, others, steal, foreign, congestion, Math.round(nanos * 10) / 10.0);
    }

    /** The same, with so many bytes a second on the wire that were not ours. */
    Load foreign(long bytes) {
      return new Load(before, after, others, steal, bytes, congestion, apart);
    }

    /** Others were there. Congestion can be our own making, so it is told but no proof of them. */
    public boolean noisy() {
      return others > BUSY || steal > STOLEN || foreign > MUCH;
    }

    /** One figure for how noisy it was, 1 where it begins to matter. */
    public double noise() {
      return Math.max(Math.max(others / BUSY, steal / STOLEN), (double) foreign / MUCH);
    }

    /** What holds of both together: the worst of each. */
    public Load and(Load other) {
      Map<String, Long> sum = new TreeMap<>(congestion);
      other.congestion.forEach((name, value) -> sum.merge(name, value, Long::sum));
      return new Load(
          before,
          other.after,
          Math.max(others, other.others),
          Math.max(steal, other.steal),
          Math.max(foreign, other.foreign),
          sum,
          Math.max(apart, other.apart));
    }

    /** For people, in one line. */
    public String words() {
      StringBuilder text = new StringBuilder();
      text.append(
          String.format(
              Locale.ROOT,
              "load %.2f before, %.2f after; others used %.2f cores, %.1f %% was stolen",
              before,
              after,
              others,
              steal * 100));
      if (foreign >= 0) {
        text.append(
            String.format(Locale.ROOT, ", %.1f MB/s on the wire were not ours", foreign / 1e6));
      }
      congestion.forEach(
          (name, value) -> text.append("; ").append(name).append(" +").append(value));
      if (apart > 0) {
        text.append(String.format(Locale.ROOT, "; cores %.0f ns apart", apart));
      }
      return text.append(noisy() ? " (noisy)" : "").toString();
    }

    Map<String, @Nullable Object> tree() {
      return Json.map(
          "before",
          before,
          "after",
          after,
          "othersCores",
          others,
          "stealShare",
          steal,
          "foreignBytesPerSecond",
          foreign < 0 ? null : foreign,
          "congestion",
          congestion.isEmpty() ? null : congestion,
          "coreRoundTripNanos",
          apart > 0 ? apart : null);
    }

    static Load read(Fields fields) {
      Map<String, Long> congestion = new TreeMap<>();
      if (fields.has("congestion")) {
        Fields counted = fields.object("congestion");
        counted.names().forEach(name -> congestion.put(name, counted.number(name)));
      }
      return new Load(
          fields.decimal("before", 0),
          fields.decimal("after", 0),
          fields.decimal("othersCores", 0),
          fields.decimal("stealShare", 0),
          fields.number("foreignBytesPerSecond", NOT_COUNTED),
          congestion,
          fields.decimal("coreRoundTripNanos", 0));
    }
  }

  /** The facts in which another manifest differs: name, ours and theirs, "-" where not told. */
  public List<String[]> differences(Manifest other) {
    Map<String, String> ours = comparable();
    Map<String, String> theirs = other.comparable();
    TreeSet<String> names = new TreeSet<>(ours.keySet());
    names.addAll(theirs.keySet());
    return names.stream()
        .map(it -> new String[] {it, ours.getOrDefault(it, "-"), theirs.getOrDefault(it, "-")})
        .filter(it -> !it[1].equals(it[2]))
        .toList();
  }

  private Map<String, String> comparable() {
    Map<String, String> all = new LinkedHashMap<>(facts);
    if (!hosts.isEmpty()) {
      all.put("hosts", String.join(",", hosts));
    }
    for (Nic nic : nics) {
      all.put("nic " + nic.name() + " mtu", Integer.toString(nic.mtu()));
      all.put("nic " + nic.name() + " Mb/s", Long.toString(nic.megabitsPerSecond()));
    }
    return all;
  }

  public Map<String, @Nullable Object> tree() {
    return Json.map(
        "hosts",
        hosts,
        "nics",
        nics.stream().map(Nic::tree).toList(),
        "facts",
        facts,
        "load",
        load.isEmpty() ? null : load.getFirst().tree());
  }

  public static Manifest read(Fields fields) {
    return new Manifest(
        fields.texts("hosts"),
        fields.objects("nics").stream().map(Nic::read).toList(),
        fields.textMap("facts"),
        fields.has("load") ? List.of(Load.read(fields.object("load"))) : List.of());
  }
}
