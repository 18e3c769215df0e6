package dev.holdfast.doctor.kernel;

import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.kernel.KernelLog;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of the node's kernel log, decoded once when the first check asks. The driver's version
 * comes from a file and not from its library, which may hang just when the log is wanted most.
 */
public final class KernelEvents {
  private static final String DRIVER = "/sys/module/nvidia/version";

  private final NodeView node;
  private @Nullable List<KernelEvent> decoded;

  public KernelEvents(NodeView node) {
    this.node = node;
  }

  /** All events, or the check is skipped because the log may not be read. */
  public synchronized List<KernelEvent> require() {
    List<KernelEvent> events = decoded;
    if (events == null) {
      String text = node.requireProbe("kernel-log");
      events = KernelLog.decode(text, boot(node), node.text(DRIVER));
      decoded = events;
    }
    return events;
  }

  /** The events of these rules, or the check is skipped because the log may not be read. */
  public List<KernelEvent> require(String... rules) {
    List<String> wanted = List.of(rules);
    return require().stream().filter(event -> wanted.contains(event.rule())).toList();
  }

  /** The same where the log is only one of several witnesses: none when it may not be read. */
  public List<KernelEvent> known(String... rules) {
    try {
      return require(rules);
    } catch (Unavailable e) {
      return List.of();
    }
  }

  /** When the node booted. */
  public static Optional<Instant> boot(NodeView node) {
    for (String line : node.read("/proc/stat").text().orElse("").split("\n")) {
      if (line.startsWith("btime ") && line.length() < 30) {
        try {
          return Optional.of(Instant.ofEpochSecond(Long.parseLong(line.substring(6).strip())));
        } catch (NumberFormatException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
