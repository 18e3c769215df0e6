package dev.holdfast.os.nvml;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How busy are the NVIDIA devices of this node, asked again and again? A few quick questions a
 * device, put to the library by a child that lives as long as it answers, see {@link NvmlChild}: a
 * call that hangs or crashes costs the child, and that device is left out from then on.
 *
 * <p>Not for several threads at once.
 */
public final class GpuLoads implements AutoCloseable {
  private static final int MOST_DEVICES = 256;
  private static final int MOST_TROUBLE = 8;

  private final BitSet left = new BitSet();
  private @Nullable NvmlProcess child;
  private int devices = -1;
  private int troubles;
  private boolean given;

  /**
   * One device.
   *
   * @param index the library's number, which is the order on the bus
   * @param percent of the last moment in which something ran on it, −1: not known
   * @param usedBytes of its memory, −1: not known
   */
  public record Load(int index, String uuid, String model, int percent, long usedBytes) {}

  /** Whether there is nothing to ask: no driver, or one that failed again and again. */
  public boolean givenUp() {
    return given;
  }

  /**
   * All devices that answer.
   *
   * @param deadline of all of it; the first reading starts the child and the library
   */
  public List<Load> read(Duration deadline) throws InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    List<Load> loads = new ArrayList<>();
    try {
      if (!given && (devices >= 0 || count(end))) {
        for (int device = left.nextClearBit(0); device < devices; ) {
          Map<String, String> facts = ask("load " + device, end);
          if (facts == null || facts.containsKey("gpu." + device + ".call.failed")) {
            left.set(device);
          } else {
            loads.add(load(device, facts));
          }
          if (facts == null) {
            // The others are asked by another child, next time.
            return loads;
          }
          device = left.nextClearBit(device + 1);
        }
        given |= loads.isEmpty();
      }
    } catch (IOException noChild) {
      trouble();
    }
    return loads;
  }

  private boolean count(long end) throws IOException, InterruptedException {
    Map<String, String> node = ask("node", end);
    if (node == null) {
      return false;
    }
    long told = number(node, "gpu.count");
    given = told <= 0;
    devices = Math.clamp(told, 0, MOST_DEVICES);
    return !given;
  }

  /** The facts of one answer; null when there was none and the child is gone. */
  private @Nullable Map<String, String> ask(String request, long end)
      throws IOException, InterruptedException {
    NvmlProcess asked = child;
    if (asked == null || !asked.alive()) {
      asked = NvmlProcess.start();
      child = asked;
    }
    asked.send(request + "\n");
    Map<String, String> facts = new HashMap<>();
    while (true) {
      String line = asked.next(Math.max(0, end - System.nanoTime()));
      if (line == null || line.equals(NvmlProcess.END)) {
        trouble();
        return null;
      }
      if (line.equals(".")) {
        return facts;
      }
      int equals = line.indexOf('=');
      if (equals > 0) {
        facts.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
  }

  private void trouble() {
    close();
    given |= ++troubles >= MOST_TROUBLE;
  }

  private static Load load(int device, Map<String, String> facts) {
    String prefix = "gpu." + device + ".";
    return new Load(
        device,
        facts.getOrDefault(prefix + "uuid", ""),
        facts.getOrDefault(prefix + "name", ""),
        (int) number(facts, prefix + "utilisation.percent"),
        number(facts, prefix + "memory.used.bytes"));
  }

  private static long number(Map<String, String> facts, String key) {
    String value = facts.getOrDefault(key, "");
    return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : -1;
  }

  @Override
  public void close() {
    if (child != null) {
      child.kill();
      child = null;
    }
  }
}
