package dev.holdfast.core.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A regular machine in a few numbers, numbered as Linux does: the second threads of all cores come
 * after the first ones.
 *
 * @param offline CPUs that do not run
 * @param emptyNodes NUMA nodes without CPUs, numbered after the others; each is nearest to the node
 *     of its turn
 */
record Shape(
    int packages,
    int diesPerPackage,
    int nodesPerPackage,
    int cachesPerPackage,
    int coresPerPackage,
    int threads,
    IdSet offline,
    int emptyNodes) {
  static Shape of(int packages, int nodes, int caches, int cores, int threads) {
    return new Shape(packages, 1, nodes, caches, cores, threads, IdSet.EMPTY, 0);
  }

  Shape withOffline(IdSet cpus) {
    return new Shape(
        packages,
        diesPerPackage,
        nodesPerPackage,
        cachesPerPackage,
        coresPerPackage,
        threads,
        cpus,
        emptyNodes);
  }

  Shape withDies(int dies) {
    return new Shape(
        packages,
        dies,
        nodesPerPackage,
        cachesPerPackage,
        coresPerPackage,
        threads,
        offline,
        emptyNodes);
  }

  Shape withEmptyNodes(int count) {
    return new Shape(
        packages,
        diesPerPackage,
        nodesPerPackage,
        cachesPerPackage,
        coresPerPackage,
        threads,
        offline,
        count);
  }

  /** The running threads of some cores in a row. */
  private IdSet cpus(int firstCore, int cores) {
    BitSet bits = new BitSet();
    for (int thread = 0; thread < threads; thread++) {
      int from = thread * packages * coresPerPackage + firstCore;
      bits.set(from, from + cores);
    }
    return IdSet.copyOf(bits).without(offline);
  }

  FakeMachine build() {
    FakeMachine machine = new FakeMachine();
    IdSet present = IdSet.range(0, packages * coresPerPackage * threads - 1);
    machine.cpus(present, present.without(offline));
    parts(packages).forEach(set -> machine.topology("package", set.first() / coresPerPackage, set));
    parts(packages * diesPerPackage).forEach(set -> machine.topology("die", 0, set));
    List<IdSet> cores = parts(packages * coresPerPackage);
    for (int core = 0; core < cores.size(); core++) {
      IdSet set = cores.get(core);
      if (!set.isEmpty()) {
        machine.topology("core", core % coresPerPackage, set);
        machine.cache(0, 1, "Data", "48K", set);
        machine.cache(1, 1, "Instruction", "32K", set);
        machine.cache(2, 2, "Unified", "2048K", set);
      }
    }
    parts(packages * cachesPerPackage)
        .forEach(set -> machine.cache(3, 3, "Unified", "32768K", set));
    nodes(machine);
    return machine;
  }

  /** The machine cut into as many equal parts. */
  private List<IdSet> parts(int count) {
    List<IdSet> parts = new ArrayList<>();
    int cores = packages * coresPerPackage / count;
    for (int part = 0; part < count; part++) {
      parts.add(cpus(part * cores, cores));
    }
    return parts;
  }

  private void nodes(FakeMachine machine) {
    List<IdSet> nodes = parts(packages * nodesPerPackage);
    int all = nodes.size() + emptyNodes;
    for (int node = 0; node < all; node++) {
      StringBuilder row = new StringBuilder();
      for (int other = 0; other < all; other++) {
        row.append(distance(node, other, nodes.size())).append(' ');
      }
      IdSet cpus = node < nodes.size() ? nodes.get(node) : IdSet.EMPTY;
      machine.node(node, cpus, row.toString().strip());
    }
  }

  private int distance(int node, int other, int withCpus) {
    if (node == other) {
      return 10;
    }
    int one = Math.min(node, other);
    int two = Math.max(node, other);
    if (two >= withCpus) {
      return one == two - withCpus ? 17 : 40;
    }
    return one / nodesPerPackage == two / nodesPerPackage ? 12 : 32;
  }
}
