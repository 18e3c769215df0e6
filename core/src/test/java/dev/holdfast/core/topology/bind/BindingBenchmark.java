package dev.holdfast.core.topology.bind;

import dev.holdfast.core.text.XmlTree;
import dev.holdfast.core.topology.HwlocXml;
import dev.holdfast.core.topology.MachineText;
import dev.holdfast.core.topology.Topology;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * How long does it take to read a large machine and to map tasks onto it? Run by hand. The first
 * call of a fresh virtual machine is what an operator waits for, so that is what is told first.
 */
public final class BindingBenchmark {
  private static final int NODES = 16;
  private static final int CORES = 512;
  private static final int ROUNDS = 30;

  private BindingBenchmark() {}

  public static void main(String[] arguments) {
    String xml = machine();
    System.out.printf(
        Locale.ROOT,
        "%d cores with two threads, %d NUMA nodes, 8 GPUs: %,d characters of hwloc XML%n%n",
        CORES,
        NODES,
        xml.length());
    first("read of one core", () -> HwlocXml.read(MachineText.xml(MachineText.core(0, 1, 1))));
    first("XML alone", () -> XmlTree.read(xml));
    Topology machine = first("read", () -> HwlocXml.read(xml));
    first("condense", machine::condensed);
    first("map 8 tasks", () -> MemoryFirst.map(machine, TaskRequest.of(8)));
    System.out.println();
    System.out.printf("%-16s %12s%n", "warm", "best");
    best("XML alone", () -> XmlTree.read(xml));
    best("read", () -> HwlocXml.read(xml));
    best("condense", machine::condensed);
    for (int tasks = 1; tasks <= TaskRequest.MAX_TASKS; tasks *= 4) {
      TaskRequest request = TaskRequest.of(tasks);
      best("map %,d tasks".formatted(tasks), () -> MemoryFirst.map(machine, request));
    }
  }

  /** Time of this thread on a core, so that a busy machine does not blur the figure. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static <T> T first(String what, Supplier<T> work) {
    long start = cpuNanos();
    T result = work.get();
    System.out.printf(Locale.ROOT, "first %-17s %9.2f ms%n", what, (cpuNanos() - start) / 1e6);
    return result;
  }

  private static void best(String what, Supplier<?> work) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = cpuNanos();
      if (work.get() == null) {
        throw new IllegalStateException(what);
      }
      best = Math.min(best, cpuNanos() - start);
    }
    System.out.printf(Locale.ROOT, "%-16s %9.2f ms%n", what, best / 1e6);
  }

  /** Two packages with a NUMA node and four caches of eight cores for each of 16 groups. */
  private static String machine() {
    List<MachineText> packages = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int first = i * NODES / 2;
      packages.add(
          MachineText.part(
              "Package", i, MachineText.many(first, NODES / 2, BindingBenchmark::group)));
    }
    return MachineText.xml("2.0", packages);
  }

  private static MachineText group(int node) {
    int cores = CORES / NODES;
    List<MachineText> inside = new ArrayList<>();
    inside.add(MachineText.numa(node));
    for (int cache = 0; cache < cores / 8; cache++) {
      inside.add(
          MachineText.part(
              "L3Cache",
              -1,
              MachineText.many(
                  node * cores + cache * 8,
                  8,
                  core ->
                      MachineText.part(
                          "L2Cache",
                          -1,
                          MachineText.part("L1Cache", -1, MachineText.core(core, 2, CORES))))));
    }
    if (node % 2 == 0) {
      inside.add(MachineText.nvidia(node / 2));
    }
    return MachineText.part("Group", -1, inside);
  }
}
