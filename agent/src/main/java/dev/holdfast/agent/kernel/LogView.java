package dev.holdfast.agent.kernel;

import dev.holdfast.agent.watch.Overlay;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.file.Reading;
import java.util.Map;
import java.util.stream.Collectors;

/** The node as the checks of the kernel log see it: only these lines, and no stale word on them. */
public final class LogView {
  private LogView() {}

  /**
   * @param fresh whether the lines came just now; that a device needs no recovery was true before
   *     them, and says nothing about them
   */
  public static NodeView of(NodeView node, String lines, boolean fresh) {
    Reading library = node.probe("nvml");
    if (fresh && library.text().isPresent()) {
      library =
          new Reading.Text(
              library
                  .text()
                  .get()
                  .lines()
                  .filter(line -> !line.contains(".recovery.action="))
                  .collect(Collectors.joining("\n")));
    }
    return new Overlay(node, Map.of("kernel-log", new Reading.Text(lines), "nvml", library));
  }
}
