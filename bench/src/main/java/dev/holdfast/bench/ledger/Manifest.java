package dev.holdfast.bench.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Under which conditions was it measured? Without these, two figures cannot be compared.
 *
 * @param hosts that took part
 * @param nics of the machine that wrote it
 * @param facts whatever else is the same when the conditions are: kernel, processor, settings
 * @param load what kept the machine busy meanwhile; empty for what was measured elsewhere
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

  /** One network interface; speed 0 where the driver does not tell. */
  public record Nic(String name, long megabitsPerSecond, int mtu, String driver) {
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
   */
  public record Load(double before, double after, double others, double steal) {
    /** More than this of a core taken by others and the figures are theirs too. */
    private static final double BUSY = 0.1;

    private static final double STOLEN = 0.01;

    public boolean noisy() {
      return others > BUSY || steal > STOLEN;
    }

    Map<String, @Nullable Object> tree() {
      return Json.map("before", before, "after", after, "othersCores", others, "stealShare", steal);
    }

    static Load read(Fields fields) {
      return new Load(
          fields.decimal("before", 0),
          fields.decimal("after", 0),
          fields.decimal("othersCores", 0),
          fields.decimal("stealShare", 0));
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
