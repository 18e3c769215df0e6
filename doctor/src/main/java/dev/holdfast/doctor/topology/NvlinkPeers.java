package dev.holdfast.doctor.topology;

import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Links;
import dev.holdfast.doctor.accelerator.Accelerator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which GPUs are connected by NVLink, and by how many links. Links that end at the same kind of
 * switch reach every GPU there, so the count of a pair is that of the one with fewer links, as
 * {@code nvidia-smi topo -m} counts.
 */
final class NvlinkPeers {
  private static final int MOST_LINKS = 64;

  /**
   * Where the working links of one GPU end.
   *
   * @param direct how many by the PCI address of the GPU at the other end
   */
  private record Ends(Map<String, Integer> direct, int switched) {}

  private NvlinkPeers() {}

  static Links of(List<Accelerator> devices) {
    Map<Accelerator, Ends> ends = new HashMap<>();
    for (Accelerator device : devices) {
      if (device.vendor().equals("nvidia")) {
        ends.put(device, ends(device));
      }
    }
    Links.Builder links = Links.builder();
    ends.forEach(
        (one, from) ->
            ends.forEach(
                (other, to) -> {
                  if (one.index() < other.index()) {
                    int direct = from.direct.getOrDefault(other.key(), 0);
                    int count = Math.max(direct, Math.min(from.switched, to.switched));
                    if (count > 0) {
                      links.add("GPU" + one.index(), "GPU" + other.index(), Link.NV, count);
                    }
                  }
                }));
    return links.build();
  }

  private static Ends ends(Accelerator device) {
    Map<String, Integer> direct = new HashMap<>();
    int switched = 0;
    for (int link = 0; link < MOST_LINKS; link++) {
      String prefix = "nvlink." + link + ".";
      String state = device.text(prefix + "state").orElse("");
      if (state.equals("active") || state.equals("sleep")) {
        String type = device.text(prefix + "remote.type").orElse("");
        if (type.equals("switch")) {
          switched++;
        } else if (type.equals("gpu")) {
          device
              .text(prefix + "remote.address")
              .ifPresent(address -> direct.merge(address, 1, Integer::sum));
        }
      }
    }
    return new Ends(direct, switched);
  }
}
