package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which GPU uses which adapters?
 *
 * <p>First as if every rail worked, then the GPUs whose adapter does not are moved to others, and
 * no other GPU is. A ring through rail 3 therefore meets rail 3 on the next node, whichever adapter
 * of this node has failed. Adapters that are left over go to the GPU they are nearest to.
 */
final class RailPairs {
  private final Topology machine;
  private final List<Device> gpus;
  private final List<Device> rails;
  private final List<Device> usable;

  private RailPairs(Topology machine, List<Device> gpus, List<RailNic> nics) {
    this.machine = machine;
    this.gpus = gpus;
    this.rails = nics.stream().filter(RailNic::rail).map(RailNic::device).toList();
    this.usable = nics.stream().filter(RailNic::usable).map(RailNic::device).toList();
  }

  /** The adapters of each GPU, its own rail first; none where no adapter is usable. */
  static List<List<Device>> match(Topology machine, List<Device> gpus, List<RailNic> nics) {
    return new RailPairs(machine, gpus, nics).match();
  }

  private List<List<Device>> match() {
    List<List<Device>> hands = new ArrayList<>();
    gpus.forEach(_ -> hands.add(new ArrayList<>()));
    if (usable.isEmpty()) {
      return hands;
    }
    int[] first =
        RailAssignment.solve(
            links(gpus, rails), new int[rails.size()], share(gpus.size(), rails.size()));
    int[] taken = new int[usable.size()];
    List<Integer> moved = new ArrayList<>();
    for (int gpu = 0; gpu < gpus.size(); gpu++) {
      Device nic = rails.get(first[gpu]);
      int at = usable.indexOf(nic);
      if (at < 0) {
        moved.add(gpu);
      } else {
        taken[at]++;
        hands.get(gpu).add(nic);
      }
    }
    int[] second =
        RailAssignment.solve(
            links(moved.stream().map(gpus::get).toList(), usable),
            taken,
            share(gpus.size(), usable.size()));
    for (int i = 0; i < second.length; i++) {
      hands.get(moved.get(i)).add(usable.get(second[i]));
      taken[second[i]]++;
    }
    for (int nic = 0; nic < taken.length; nic++) {
      if (taken[nic] == 0) {
        hands.get(nearest(usable.get(nic), hands)).add(usable.get(nic));
      }
    }
    return hands;
  }

  private int nearest(Device nic, List<List<Device>> hands) {
    return IntStream.range(0, gpus.size())
        .boxed()
        .min(
            Comparator.comparing((Integer gpu) -> machine.link(gpus.get(gpu), nic))
                .thenComparing(gpu -> hands.get(gpu).size()))
        .orElseThrow();
  }

  private Link[][] links(List<Device> rows, List<Device> columns) {
    Link[][] links = new Link[rows.size()][columns.size()];
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; j < columns.size(); j++) {
        links[i][j] = machine.link(rows.get(i), columns.get(j));
      }
    }
    return links;
  }

  /** How many GPUs an adapter has at most. */
  static int share(int gpus, int nics) {
    return (gpus + nics - 1) / nics;
  }
}
