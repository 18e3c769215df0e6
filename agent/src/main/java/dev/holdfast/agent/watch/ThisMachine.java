package dev.holdfast.agent.watch;

import dev.holdfast.doctor.node.LiveNode;
import dev.holdfast.doctor.node.LiveProbes;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.file.Reading;
import dev.holdfast.os.nvml.Nvml;
import dev.holdfast.os.place.Places;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The machine the agent runs on. NVIDIA's library stays loaded in one child process; it is started
 * only where there is a driver, so that other nodes do not pay for it.
 */
public final class ThisMachine implements Machine {
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final Duration LIBRARY = Duration.ofSeconds(20);
  private static final String DRIVER = "/proc/driver/nvidia/version";
  private static final String CHOSEN = "HOLDFAST_NVML_LIBRARY";

  private final Places places;
  private @Nullable Nvml nvml;
  private volatile Reading last = new Reading.Absent("the driver was not asked yet");

  public ThisMachine(Places places) {
    this.places = places;
  }

  @Override
  public String name() {
    return node(() -> last).name();
  }

  @Override
  public NodeView look(Nvml.Depth depth) {
    return node(() -> ask(depth));
  }

  @Override
  public NodeView glance() {
    return node(() -> last);
  }

  private NodeView node(java.util.function.Supplier<Reading> library) {
    return new LiveNode(new LiveProbes(places, CALL, library));
  }

  private synchronized Reading ask(Nvml.Depth depth) {
    if (!driver()) {
      last = new Reading.Absent("no NVIDIA driver on the node");
      return last;
    }
    Nvml library = Optional.ofNullable(nvml).orElseGet(Nvml::new);
    nvml = library;
    Reading answer = new Reading.Text(library.facts(depth, CALL, LIBRARY));
    last = answer;
    return answer;
  }

  private boolean driver() {
    return java.nio.file.Files.exists(java.nio.file.Path.of(DRIVER))
        || !places.environment().getOrDefault(CHOSEN, "").isEmpty();
  }

  @Override
  public synchronized void release() {
    if (nvml != null) {
      nvml.close();
      nvml = null;
    }
  }

  @Override
  public void close() {
    release();
  }
}
