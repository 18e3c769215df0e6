package dev.holdfast.os.nvml;

import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What does the NVIDIA driver say of this node and its devices?
 *
 * <p>The driver's library can hang for ever in any call (a device that fell off the bus, a firmware
 * that does not answer) and can crash. So a child process asks it, see {@link NvmlChild}. The child
 * lives as long as it answers; when a call passes its deadline the child is killed and another one
 * goes on with the next device. A child that survives the kill is stuck in the kernel, and that is
 * told.
 *
 * <p>The answer is text, one {@code key=value} per line, {@code key!=REASON} where the library
 * refused: what a snapshot stores and what a fixture contains.
 *
 * <p>Safe for use by several threads, one after the other.
 */
public final class Nvml implements AutoCloseable {
  /** A device that nobody keeps attached takes seconds to wake, without being hung. */
  private static final int PATIENCE_WHEN_OPENING = 5;

  private static final int MOST_TROUBLE = 16;
  private static final String STARTING = "start";

  private @Nullable NvmlProcess child;

  /** Starts the child at once, so that it is ready when the first question comes. */
  public Nvml() {
    try {
      child = NvmlProcess.start();
    } catch (IOException _) {
      // Tried again, and told, when the first question comes.
      child = null;
    }
  }

  /** How much is asked; who looks every second asks for little. */
  public enum Depth {
    /** Which devices there are, and whether each still answers. */
    PRESENCE,
    /** All but what takes tens of milliseconds a device. */
    STATE,
    ALL
  }

  /** All facts of the node and its devices, by a child that ends with this call. */
  public static String read(Duration callDeadline, Duration totalDeadline) {
    try (Nvml nvml = new Nvml()) {
      return nvml.facts(callDeadline, totalDeadline);
    }
  }

  /**
   * All facts of the node and its devices.
   *
   * @param callDeadline how long one call of the library may take
   * @param totalDeadline how long all of it may take
   */
  public String facts(Duration callDeadline, Duration totalDeadline) {
    return facts(Depth.ALL, callDeadline, totalDeadline);
  }

  /** The facts of the node and its devices, as many as asked for. */
  public synchronized String facts(Depth depth, Duration callDeadline, Duration totalDeadline) {
    Round round =
        new Round(depth, callDeadline.toNanos(), System.nanoTime() + totalDeadline.toNanos());
    try {
      round.askAll();
    } catch (IOException problem) {
      round.text.append("library.present=false\nlibrary.error=the child that asks NVML: ");
      round.text.append(String.valueOf(problem.getMessage()).replace('\n', ' ')).append('\n');
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      round.note("unfinished", "interrupted");
      end();
    }
    return round.finish();
  }

  @Override
  public synchronized void close() {
    end();
  }

  private String end() {
    String stuck = child == null ? "" : child.kill();
    child = null;
    return stuck;
  }

  private NvmlProcess child() throws IOException {
    if (child == null || !child.alive()) {
      child = NvmlProcess.start();
    }
    return child;
  }

  /** One reading of everything. */
  private final class Round {
    private final long start = System.nanoTime();
    private final Depth depth;
    private final long callNanos;
    private final long end;
    private final StringBuilder text = new StringBuilder();
    private final NvmlTroubles troubles = new NvmlTroubles();
    private int devices;
    private final BitSet failed = new BitSet();
    private boolean optional;
    private String call = STARTING;
    private long callStart = start;

    Round(Depth depth, long callNanos, long end) {
      this.depth = depth;
      this.callNanos = callNanos;
      this.end = end;
    }

    void askAll() throws IOException, InterruptedException {
      child().send("node\n");
      if (!collect(-1)) {
        return;
      }
      int next = 0;
      while (next < devices && troubles.count() < MOST_TROUBLE && System.nanoTime() < end) {
        request(depth == Depth.PRESENCE ? "present " : "device ", next);
        while (next < devices && collect(next++)) {
          continue;
        }
      }
      if (next < devices) {
        note("unfinished", "gpu " + next + " and above");
      } else if (troubles.count() == 0 && depth == Depth.ALL) {
        askSlowly();
      }
    }

    /** What takes longest comes last, so that who is in a hurry has everything else. */
    private void askSlowly() throws IOException, InterruptedException {
      optional = true;
      request("inforom ", 0);
      int device = failed.nextClearBit(0);
      while (device < devices && collect(device)) {
        device = failed.nextClearBit(device + 1);
      }
    }

    private void request(String word, int first) throws IOException {
      StringBuilder requests = new StringBuilder();
      for (int device = failed.nextClearBit(first); device < devices; ) {
        requests.append(word).append(device).append('\n');
        device = failed.nextClearBit(device + 1);
      }
      call = STARTING;
      callStart = System.nanoTime();
      child().send(requests.toString());
    }

    /** Takes the answer to one request; false when it did not end well and the child is gone. */
    private boolean collect(int device) throws InterruptedException {
      while (child != null) {
        long now = System.nanoTime();
        long limit = callStart + callNanos * (opening() ? PATIENCE_WHEN_OPENING : 1);
        String line = child.next(Math.max(0, Math.min(limit, end) - now));
        if (line == null && optional && limit > end) {
          note("unfinished", call);
          end();
        } else if (line == null) {
          trouble(limit <= end ? "hung" : "unfinished", device);
        } else if (line.equals(NvmlProcess.END)) {
          trouble("crashed", device);
        } else if (line.equals(".")) {
          troubles.took(call, device, System.nanoTime() - callStart);
          call = STARTING;
          callStart = System.nanoTime();
          return true;
        } else if (line.charAt(0) == '?') {
          troubles.took(call, device, System.nanoTime() - callStart);
          call = line.substring(1);
          callStart = System.nanoTime();
        } else if (line.indexOf('=') > 0) {
          text.append(line).append('\n');
          countDevices(line);
          if (device >= 0 && line.contains(".call.failed=")) {
            failed.set(device);
          }
        }
      }
      return false;
    }

    private boolean opening() {
      return call.equals(STARTING)
          || call.startsWith("nvmlInit")
          || call.startsWith("nvmlDeviceGetHandle");
    }

    private void countDevices(String line) {
      if (line.startsWith("gpu.count=")) {
        devices = Math.clamp(Integer.parseInt(line, 10, line.length(), 10), 0, 256);
      }
    }

    private void trouble(String kind, int device) {
      String where = device < 0 ? call : call + ":gpu " + device;
      note(kind, where);
      if (device >= 0) {
        text.append("gpu.").append(device).append(".call.failed=").append(call);
        text.append(':').append(kind.toUpperCase(Locale.ROOT)).append('\n');
      } else {
        text.append("library.error=NVML ").append(kind).append(" in ").append(call).append('\n');
      }
      String stuck = end();
      if (!stuck.isEmpty()) {
        note("stuck", stuck);
      }
    }

    private void note(String kind, String where) {
      troubles.add(kind, where);
    }

    String finish() {
      troubles.write(text);
      long millis = (System.nanoTime() - start) / 1_000_000;
      text.append("probe.seconds=").append(millis / 1000.0).append('\n');
      return text.toString();
    }
  }
}
