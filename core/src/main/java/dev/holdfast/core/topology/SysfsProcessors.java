package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which CPUs are online and what they share: packages, dies, clusters, cores and caches.
 *
 * <p>A file that tells of a set is read once for the whole set, at its first CPU, since machines
 * have a thousand CPUs with forty files each.
 */
final class SysfsProcessors {
  static final String FOLDER = "/sys/devices/system/cpu";
  private static final int MAX_CACHES = 10;

  private final SysfsReader reader;
  private final IdSet online;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<String> told = new HashSet<>();

  private SysfsProcessors(SysfsReader reader, IdSet online) {
    this.reader = reader;
    this.online = online;
  }

  /** The CPUs that run. */
  static IdSet online(SysfsReader reader) {
    IdSet present = reader.set(FOLDER, "present").orElseGet(() -> reader.numbered(FOLDER, "cpu"));
    IdSet online = reader.set(FOLDER, "online").filter(set -> !set.isEmpty()).orElse(present);
    if (online.isEmpty()) {
      throw new IllegalArgumentException(
          FOLDER + "/online does not say which CPUs there are; is /sys mounted or recorded?");
    }
    IdSet offline = present.without(online);
    if (!offline.isEmpty()) {
      reader.note("CPUs " + offline + " are offline and left out");
    }
    return online;
  }

  static List<Block> blocks(SysfsReader reader, IdSet online) {
    SysfsProcessors processors = new SysfsProcessors(reader, online);
    processors.read();
    return processors.blocks;
  }

  private void read() {
    Seen packages = new Seen();
    Seen dies = new Seen();
    Seen clusters = new Seen();
    Seen cores = new Seen();
    Map<Integer, Seen> caches = new java.util.HashMap<>();
    for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu + 1)) {
      String topology = FOLDER + "/cpu" + cpu + "/topology";
      if (packages.isNew(cpu)) {
        IdSet set = shared(packages, cpu, topology, "package_cpus_list", "core_siblings_list");
        add(PartKind.PACKAGE, set, topology + "/physical_package_id");
      }
      if (dies.isNew(cpu)) {
        IdSet set = shared(dies, cpu, topology, "die_cpus_list");
        if (set.count() > 1 && !packages.has(set)) {
          add(PartKind.DIE, set, topology + "/die_id");
        }
      }
      if (cores.isNew(cpu)) {
        IdSet set = shared(cores, cpu, topology, "core_cpus_list", "thread_siblings_list");
        add(PartKind.CORE, set, topology + "/core_id");
      }
      if (clusters.isNew(cpu)) {
        IdSet set = shared(clusters, cpu, topology, "cluster_cpus_list");
        if (set.count() > 1 && !packages.has(set) && !cores.has(set)) {
          blocks.add(Block.group(Block.CLUSTER, set));
        }
      }
      for (int index = 0; index < MAX_CACHES; index++) {
        Seen seen = caches.computeIfAbsent(index, _ -> new Seen());
        if (seen.isNew(cpu) && !cache(seen, cpu, index)) {
          break;
        }
      }
      blocks.add(Block.of(PartKind.PU, cpu, IdSet.of(cpu)));
    }
  }

  /** Which CPUs a sort of set was already read for, and the sets. */
  private static final class Seen {
    private final BitSet cpus = new BitSet();
    private final Set<IdSet> sets = new HashSet<>();

    boolean isNew(int cpu) {
      return !cpus.get(cpu);
    }

    boolean has(IdSet set) {
      return sets.contains(set);
    }

    void add(int cpu, IdSet set) {
      cpus.set(cpu);
      set.stream().forEach(cpus::set);
      sets.add(set);
    }
  }

  /** The running CPUs of a list at a CPU, which must be one of them; else empty. */
  private IdSet shared(Seen seen, int cpu, String folder, String... names) {
    IdSet set = reader.set(folder, names).orElse(IdSet.EMPTY).and(online);
    IdSet used = set.contains(cpu) ? set : IdSet.EMPTY;
    seen.add(cpu, used);
    return used;
  }

  private void add(PartKind kind, IdSet set, String idFile) {
    if (!set.isEmpty()) {
      blocks.add(Block.of(kind, reader.id(idFile), set));
    }
  }

  /** Whether the CPU has a cache of this index at all. */
  private boolean cache(Seen seen, int cpu, int index) {
    String folder = FOLDER + "/cpu" + cpu + "/cache/index" + index;
    String level = reader.files().text(folder + "/level").orElse("");
    if (level.isEmpty()) {
      return false;
    }
    String type = reader.files().text(folder + "/type").orElse("");
    IdSet set = shared(seen, cpu, folder, "shared_cpu_list");
    String suffix = type.equals("Instruction") ? "i" : "";
    boolean known = Set.of("Instruction", "Data", "Unified").contains(type);
    if (known && !set.isEmpty() && told.add(level + suffix + " " + set)) {
      PartKind.named("L" + level + suffix + "Cache")
          .ifPresent(kind -> blocks.add(cacheBlock(kind, folder, set)));
    }
    return true;
  }

  private Block cacheBlock(PartKind kind, String folder, IdSet set) {
    String size = reader.files().text(folder + "/size").orElse("");
    Map<String, String> facts =
        size.matches("[0-9]{1,9}K")
            ? Map.of(
                Part.CACHE_BYTES,
                Long.toString(Long.parseLong(size.substring(0, size.length() - 1)) << 10))
            : Map.of();
    return new Block(kind, reader.id(folder + "/id"), set, facts);
  }
}
