package dev.holdfast.doctor.system;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;

/**
 * Files below {@code /sys}, which some containers lack altogether: that is told once, not by file.
 */
public final class Sysfs {
  private Sysfs() {}

  /** The file's text, or the check is skipped. */
  public static String require(NodeView node, String path) {
    return node.read(path)
        .text()
        .orElseGet(
            () -> {
              if (!node.exists("/sys/devices")) {
                throw new Unavailable("/sys is not visible here");
              }
              return node.require(path);
            });
  }
}
