package dev.holdfast.doctor.nic;

import java.util.ArrayList;
import java.util.List;

/**
 * One entry of a port's GID table.
 *
 * @param type {@code IB/RoCE v1} or {@code RoCE v2}
 */
record RoceAddress(int index, String gid, String type) {
  /** The tables have up to 255 places; the kernel fills them from the front. */
  private static final int MAX_INDEX = 32;

  private static final String EMPTY = "0000:0000:0000:0000:0000:0000:0000:0000";

  static List<RoceAddress> of(RdmaPort port) {
    List<RoceAddress> addresses = new ArrayList<>();
    int gaps = 0;
    for (int index = 0; index < MAX_INDEX && gaps < 4; index++) {
      String gid = port.text("gids/" + index).orElse(EMPTY);
      if (gid.equals(EMPTY) || gid.isEmpty()) {
        gaps++;
      } else {
        String type = port.text("gid_attrs/types/" + index).orElse("unknown");
        addresses.add(new RoceAddress(index, gid, type));
      }
    }
    return addresses;
  }

  /** Whether packets with this address can be routed: version 2, and not only of the link. */
  boolean routable() {
    return type.equals("RoCE v2") && !gid.startsWith("fe80:");
  }
}
