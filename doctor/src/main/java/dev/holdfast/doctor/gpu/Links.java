package dev.holdfast.doctor.gpu;

import dev.holdfast.doctor.accelerator.Accelerator;
import java.util.ArrayList;
import java.util.List;

/**
 * The links of one accelerator to others, by number and state.
 *
 * @param up those that carry traffic or sleep until there is some
 */
record Links(List<Integer> up, List<Integer> down) {
  private static final int MOST = 64;

  static Links of(Accelerator device) {
    List<Integer> up = new ArrayList<>();
    List<Integer> down = new ArrayList<>();
    for (int link = 0; link < MOST; link++) {
      String state = device.text("nvlink." + link + ".state").orElse("");
      if (state.equals("active") || state.equals("sleep")) {
        up.add(link);
      } else if (!state.isEmpty()) {
        down.add(link);
      }
    }
    return new Links(up, down);
  }

  boolean none() {
    return up.isEmpty() && down.isEmpty();
  }

  /** The sum of a counter over all links. */
  static long total(Accelerator device, String counter) {
    long sum = 0;
    for (int link = 0; link < MOST; link++) {
      sum += Math.max(0, device.number("nvlink." + link + "." + counter).orElse(0));
    }
    return sum;
  }

  /** The link with most of a counter. */
  static int worst(Accelerator device, String counter) {
    int worst = 0;
    long most = -1;
    for (int link = 0; link < MOST; link++) {
      long count = device.number("nvlink." + link + "." + counter).orElse(-1);
      if (count > most) {
        most = count;
        worst = link;
      }
    }
    return worst;
  }
}
