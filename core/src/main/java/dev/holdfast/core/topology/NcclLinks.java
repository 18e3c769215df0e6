package dev.holdfast.core.topology;

import dev.holdfast.core.text.PciAddress;
import dev.holdfast.core.text.XmlTree.Element;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an NCCL topology file tells of pairs of devices beyond the tree: NVLinks, and how many
 * switches lie between two devices. NCCL writes one element for a whole switch, where the kernel
 * and hwloc show a bridge for each port, so counting is different here.
 */
final class NcclLinks {
  private final Topology machine;
  private final NcclDevices devices;
  private final Links.Builder links = Links.builder();
  private boolean own;

  private NcclLinks(Topology machine, NcclDevices devices) {
    this.machine = machine;
    this.devices = devices;
  }

  static Links of(Topology machine, NcclDevices devices, List<String> notes) {
    NcclLinks reader = new NcclLinks(machine, devices);
    reader.nvlinks();
    reader.switches();
    if (reader.own) {
      notes.add("the file has NVLinks that lead from a GPU to itself; they are left out");
    }
    return reader.links.build();
  }

  private void nvlinks() {
    Map<String, Integer> numbers = devices.gpus();
    Map<String, Integer> throughSwitch = new HashMap<>();
    for (String address : numbers.keySet()) {
      for (Element link : devices.nvlinks(address)) {
        String target = PciAddress.normalise(link.attribute("target").orElse("")).orElse("");
        int count = count(link);
        if (target.equals(address)) {
          own = true;
        } else if (numbers.containsKey(target)) {
          links.add(name(numbers, address), name(numbers, target), Link.NV, count);
        } else if (link.attribute("tclass").orElse("").startsWith("0x068000")) {
          throughSwitch.merge(address, count, Integer::sum);
        }
      }
    }
    throughSwitch.forEach(
        (one, links1) ->
            throughSwitch.forEach(
                (other, links2) -> {
                  if (one.compareTo(other) < 0) {
                    links.add(
                        name(numbers, one),
                        name(numbers, other),
                        Link.NV,
                        Math.min(links1, links2));
                  }
                }));
  }

  private static String name(Map<String, Integer> numbers, String address) {
    return "GPU" + numbers.get(address);
  }

  private static int count(Element link) {
    String text = link.attribute("count").orElse("");
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
  }

  /** Two devices below one switch, one of them behind a second switch. */
  private void switches() {
    List<Device> all = machine.devices();
    for (int i = 0; i < all.size(); i++) {
      for (int j = 0; j < i; j++) {
        List<Part> one = all.get(i).bridges();
        List<Part> other = all.get(j).bridges();
        int shared = 0;
        while (shared < Math.min(one.size(), other.size())
            && one.get(shared) == other.get(shared)) {
          shared++;
        }
        // The host bridge is the first they can share.
        if (shared > 1 && Math.max(one.size(), other.size()) > shared) {
          links.add(all.get(i).name(), all.get(j).name(), Link.PXB, 0);
        }
      }
    }
  }
}
