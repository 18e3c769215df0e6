package dev.holdfast.core.topology.draw;

import dev.holdfast.core.draw.Paint;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;

/** The colours of the picture: light, few, and apart in print without colour as well. */
final class Palette {
  static final String INK = "#1f2933";
  static final String MUTED = "#5b6876";
  static final String PAPER = "#ffffff";
  static final String LINE = "#9fb0c2";
  static final String ALARM = "#c0261c";

  static final Paint SOCKET = new Paint("#f3f6fa", "#9fb0c2");
  static final Paint CARD = new Paint("#ffffff", "#b8c6d4");
  static final Paint MEMORY = new Paint("#fcf3d9", "#d9b957");
  static final Paint CACHE = new Paint("#e8f0f9", "#c2d4e8");
  static final Paint CORE = new Paint("#6d9bcb", "#6d9bcb");
  static final Paint BRIDGE = new Paint("#e9edf2", "#8496a9");
  static final Paint LOOSE = new Paint("#fafafa", "#a8b0b9");

  private Palette() {}

  static Paint of(Device.Kind kind) {
    return switch (kind) {
      case GPU -> new Paint("#e1f3e4", "#3c8f4f");
      case NIC -> new Paint("#ece8f9", "#7a62c1");
      case NVME -> new Paint("#f6ece1", "#ab8055");
      case OTHER -> new Paint("#f4f5f6", "#a3abb4");
    };
  }

  static String of(Link link) {
    return switch (link) {
      case SELF -> "#d5dce4";
      case NV -> "#2f9e44";
      case PIX -> "#1a6fc4";
      case PXB -> "#1098ad";
      case PHB -> "#e08a00";
      case NODE -> "#a0703c";
      case SYS -> "#c92a2a";
      case UNKNOWN -> "#98a2ad";
    };
  }
}
