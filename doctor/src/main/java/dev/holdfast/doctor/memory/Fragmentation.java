package dev.holdfast.doctor.memory;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether free memory still comes in large blocks.
 *
 * <p>{@code /proc/buddyinfo} counts, for each zone, free blocks of 2^n pages. The zones of a NUMA
 * node are added up (an allocation falls back from one to the next), the tiny DMA zone left out. No
 * block of a huge page's size left means that whoever asks for one makes the kernel move pages
 * first; none even of {@link #DRIVER_BLOCK} means that drivers' ring buffers do, too. Pages are
 * larger on many Arm machines, and memory of a GPU may be a NUMA node of its own, which is full
 * when the GPU is: both are taken into account.
 */
public final class Fragmentation implements Check {
  static final String PATH = "/proc/buddyinfo";
  private static final String HUGE_PAGE = "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size";
  private static final long HUGE_BLOCK = 2 << 20;
  private static final long DRIVER_BLOCK = 64 << 10;
  private static final int MAX_ORDERS = 32;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "memory.fragmentation",
              "Is free memory left in large blocks on every NUMA node?",
              FaultClass.SOFTWARE,
              Proof.HARDWARE)
          .reads(PATH, TransparentHugePages.ENABLED, HUGE_PAGE, NumaNodes.ROOT)
          .meaning(
              "Without large blocks the kernel compacts memory while the asking thread waits: ranks"
                  + " stall for milliseconds to seconds at random, and pinning memory for RDMA or"
                  + " CUDA may fail.")
          .remedy(
              "sync; echo 1 > /proc/sys/vm/drop_caches; echo 1 > /proc/sys/vm/compact_memory; keep a"
                  + " reserve with vm.min_free_kbytes (1 to 3 % of memory)")
          .limit("least", 1, "free blocks of 2 MiB and more", "GCM buddyinfo check; own choice");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    Map<String, long[]> nodes = parse(exam.node().require(PATH));
    if (nodes.isEmpty()) {
      throw new Unavailable(PATH + " has no rows");
    }
    boolean always =
        exam.node()
            .text(TransparentHugePages.ENABLED)
            .map(TransparentHugePages::chosen)
            .filter("always"::equals)
            .isPresent();
    long page = page(exam.node());
    for (var entry : nodes.entrySet()) {
      if (!NumaNodes.hasProcessors(exam.node(), entry.getKey())) {
        continue;
      }
      long large = sum(entry.getValue(), order(HUGE_BLOCK, page));
      if (large >= exam.limit("least")) {
        exam.pass("node " + entry.getKey() + ": " + large + " blocks of 2 MiB and more");
      } else {
        tell(exam, entry.getKey(), entry.getValue(), page, always);
      }
    }
  }

  /** The size of a page: a huge page is as many of them as fill one with eight-byte entries. */
  private static long page(NodeView node) {
    long huge = node.number(HUGE_PAGE).orElse(0);
    return huge == 512L << 20 ? 64 << 10 : huge == 32L << 20 ? 16 << 10 : 4 << 10;
  }

  private static int order(long block, long page) {
    return Long.numberOfTrailingZeros(block / page);
  }

  private static void tell(
      Examination exam, String node, long[] blocks, long page, boolean always) {
    boolean worst = sum(blocks, order(DRIVER_BLOCK, page)) == 0;
    int largest = blocks.length - 1;
    while (largest > 0 && blocks[largest] == 0) {
      largest--;
    }
    String summary =
        "NUMA node %s has no free block of 2 MiB left; the largest is %s"
            .formatted(node, Bytes.of(page << largest));
    var part = exam.here().part("numa", node);
    Draft draft = worst || always ? exam.degraded(part, summary) : exam.warning(part, summary);
    draft.evidence(PATH + " node " + node + ", blocks of 1, 2, 4 … pages", counts(blocks));
    if (always) {
      draft.evidence(TransparentHugePages.ENABLED, "always: every page fault asks for 2 MiB");
    }
  }

  /** Free blocks by order, for each NUMA node. */
  static Map<String, long[]> parse(String text) {
    Map<String, long[]> nodes = new TreeMap<>();
    for (String line : text.split("\n")) {
      String[] words = line.strip().split("[\\s,]+");
      if (words.length < 5
          || !words[0].equals("Node")
          || !words[2].equals("zone")
          || words[3].equals("DMA")) {
        continue;
      }
      long[] blocks = nodes.computeIfAbsent(words[1], _ -> new long[MAX_ORDERS]);
      for (int i = 4; i < words.length && i - 4 < MAX_ORDERS; i++) {
        try {
          blocks[i - 4] += Long.parseLong(words[i]);
        } catch (NumberFormatException e) {
          throw new Unavailable(PATH + " is not of the known form: " + line);
        }
      }
    }
    return nodes;
  }

  private static long sum(long[] blocks, int from) {
    long sum = 0;
    for (int order = from; order < blocks.length; order++) {
      sum += blocks[order];
    }
    return sum;
  }

  private static String counts(long[] blocks) {
    StringBuilder text = new StringBuilder();
    for (int order = 0; order <= 10; order++) {
      text.append(order == 0 ? "" : " ").append(blocks[order]);
    }
    return text.toString();
  }
}
