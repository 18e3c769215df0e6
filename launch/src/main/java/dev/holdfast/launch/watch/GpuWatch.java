package dev.holdfast.launch.watch;

import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.nvml.GpuLoads;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How busy are this node's GPUs? Looks every two seconds on a thread of its own, because asking the
 * driver may take as long as it likes; whoever wants to know gets the last answer, as long as it is
 * fresh. Where there is no NVIDIA device nothing is started at all.
 */
public final class GpuWatch implements Closeable {
  private static final Duration PACE = Duration.ofSeconds(2);

  /** The first answer waits for the library to start; devices nobody uses take seconds to wake. */
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private static final long FRESH_NANOS = 10_000_000_000L;
  private static final int MOST_NAMES = 8192;

  private record Seen(List<GpuLoads.Load> loads, long nanos) {}

  private final boolean busOrder;
  private final boolean present;
  private volatile Seen seen = new Seen(List.of(), Long.MIN_VALUE);
  private volatile boolean closed;
  private @Nullable Thread thread;

  /**
   * @param environment tells in which order CUDA counts, and for tests another library
   */
  public GpuWatch(Map<String, String> environment) {
    this.busOrder = environment.getOrDefault("CUDA_DEVICE_ORDER", "").equals("PCI_BUS_ID");
    this.present =
        environment.containsKey("HOLDFAST_NVML_LIBRARY")
            || BoundedFile.list(Path.of("/dev"), MOST_NAMES).names().stream()
                .anyMatch(name -> name.matches("nvidia[0-9]+"));
  }

  /** How busy the device is that a rank's environment names so. Begins to look when first asked. */
  public DeviceLoad of(String device) {
    if (device.isEmpty() || !present) {
      return DeviceLoad.NOT_KNOWN;
    }
    begin();
    Seen last = seen;
    return System.nanoTime() - last.nanos() > FRESH_NANOS || last.loads().isEmpty()
        ? new DeviceLoad(device, -1, -1)
        : match(device, last.loads(), busOrder);
  }

  /**
   * CUDA may count the fastest device first, the library counts along the bus: where the devices
   * are not all alike a number says which one only if CUDA was told to count so too.
   */
  static DeviceLoad match(String device, List<GpuLoads.Load> loads, boolean busOrder) {
    boolean alike = loads.stream().map(GpuLoads.Load::model).distinct().count() <= 1;
    boolean number = Character.isDigit(device.charAt(0));
    for (GpuLoads.Load load : loads) {
      boolean same =
          number
              ? (alike || busOrder) && device.equals(Integer.toString(load.index()))
              : device.startsWith("GPU-") && load.uuid().startsWith(device);
      if (same) {
        return new DeviceLoad(device, load.percent(), load.usedBytes());
      }
    }
    return new DeviceLoad(device, -1, -1);
  }

  private synchronized void begin() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().name("gpu load").daemon().start(this::watch);
    }
  }

  private void watch() {
    try (GpuLoads loads = new GpuLoads()) {
      while (!closed && !loads.givenUp()) {
        seen = new Seen(loads.read(DEADLINE), System.nanoTime());
        Thread.sleep(PACE);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
    }
  }
}
