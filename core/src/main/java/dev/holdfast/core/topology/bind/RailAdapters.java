package dev.holdfast.core.topology.bind;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Link;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which adapters of a node carry traffic between GPUs? Nodes also have adapters for storage and for
 * management, and NCCL would gladly use them.
 *
 * <p>Where an adapter is decides first, whether it works comes last: an adapter whose port is down
 * still is a rail, so that no adapter for storage takes its place and the rails of the other GPUs
 * stay as they are. Every rule but the user's word and the state of the port needs other adapters
 * that it leaves over; a node with one adapter uses it.
 */
final class RailAdapters {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private final Topology machine;
  private final List<Device> gpus;
  private final Map<Device, RailNic> judged = new IdentityHashMap<>();
  private List<Device> left;

  private RailAdapters(Topology machine, List<Device> gpus) {
    this.machine = machine;
    this.gpus = gpus;
    this.left =
        machine.devices(Device.Kind.NIC).stream()
            .sorted(Comparator.comparing(RailAdapters::sortable))
            .toList();
  }

  /** All adapters in the order of their names, mlx5_2 before mlx5_10. */
  static List<RailNic> judge(Topology machine, List<Device> gpus, RailRequest request) {
    RailAdapters adapters = new RailAdapters(machine, gpus);
    List<Device> all = adapters.left;
    requireKnown(all, request.onlyNics());
    adapters.drop(nic -> named(request.excludedNics(), nic), "excluded by the user");
    if (request.onlyNics().isEmpty()) {
      adapters.bySort();
    } else {
      adapters.drop(
          nic -> !named(request.onlyNics(), nic), "not among the adapters the user named");
    }
    adapters.byState();
    List<RailNic> answer = new ArrayList<>();
    for (Device nic : all) {
      answer.add(adapters.judged.getOrDefault(nic, RailNic.used(nic)));
    }
    return answer;
  }

  private static void requireKnown(List<Device> nics, Set<String> wanted) {
    for (String name : wanted) {
      if (nics.stream().noneMatch(nic -> named(Set.of(name), nic))) {
        throw new IllegalArgumentException(
            "there is no adapter %s; this machine has %s"
                .formatted(
                    name,
                    nics.isEmpty()
                        ? "none"
                        : String.join(", ", nics.stream().map(Device::name).toList())));
      }
    }
  }

  static boolean named(Set<String> names, Device nic) {
    return names.contains(nic.name())
        || !nic.pci().isEmpty()
            && names.stream().anyMatch(name -> name.toLowerCase(Locale.ROOT).equals(nic.pci()));
  }

  /** By what an adapter is for, as far as facts and places tell. */
  private void bySort() {
    dropUnlessAll(
        nic -> nic.fact("virtualFunction").orElse("").equals("true"),
        nic -> "virtual function of " + nic.fact("physicalFunction").orElse("another adapter"));
    byPlace();
    if (count(nic -> layer(nic, "infiniband")) * 2 >= left.size()) {
      dropUnlessAll(
          nic -> layer(nic, "ethernet"), _ -> "Ethernet, while other adapters are InfiniBand");
    }
    bySpeed();
    for (Device nic : left.stream().filter(RailAdapters::defaultRoute).toList()) {
      List<Device> others = left.stream().filter(other -> other != nic).toList();
      boolean missed =
          others.isEmpty()
              || gpus.stream()
                  .anyMatch(gpu -> nearest(gpu, left).compareTo(nearest(gpu, others)) < 0);
      if (!missed) {
        drop(nic::equals, "carries the default route");
      }
    }
  }

  /**
   * Adapters on a GPU's switch are for GPUs; those that no GPU is nearest to are not. As many of
   * these on switches as there are GPUs are a second set of rails, though.
   */
  private void byPlace() {
    boolean some = gpus.stream().anyMatch(gpu -> nearest(gpu, left).switched());
    List<Device> needless = left.stream().filter(this::needless).toList();
    long onSwitches = needless.stream().filter(nic -> nearest(nic, gpus).switched()).count();
    for (Device nic : left) {
      Link near = nearest(nic, gpus);
      if (some && near.compareTo(Link.SYS) >= 0) {
        String far = near == Link.SYS ? "SYS to every GPU" : "in an unknown place";
        drop(
            nic::equals,
            "storage or management: " + far + " while other adapters share a switch with one");
      } else if (needless.contains(nic) && !(near.switched() && onSwitches >= gpus.size())) {
        drop(
            nic::equals,
            "storage or management: %s to the nearest GPU while every GPU has a nearer adapter on its switch"
                .formatted(near.word()));
      }
    }
  }

  /** Whether every GPU shares a switch with an adapter that is nearer than this one. */
  private boolean needless(Device nic) {
    return gpus.stream()
        .allMatch(
            gpu -> {
              Link best = nearest(gpu, left);
              return best.switched() && best.compareTo(machine.link(gpu, nic)) < 0;
            });
  }

  /** A port far below the others would hold up every ring it is in. */
  private void bySpeed() {
    double best =
        left.stream()
            .filter(nic -> state(nic).isEmpty())
            .mapToDouble(nic -> rate(nic).orElse(0))
            .max()
            .orElse(0);
    for (Device nic : List.copyOf(left)) {
      double rate = rate(nic).orElse(best);
      if (rate * 2 < best && state(nic).isEmpty()) {
        String why = "slower than the others: %s of %s Gb/s".formatted(plain(rate), plain(best));
        boolean onSwitch = nearest(nic, gpus).switched();
        decide(onSwitch ? RailNic.failing(nic, why) : RailNic.foreign(nic, why));
      }
    }
  }

  private void byState() {
    for (Device nic : List.copyOf(left)) {
      state(nic).ifPresent(state -> decide(RailNic.failing(nic, "port is " + state)));
    }
  }

  private void decide(RailNic nic) {
    judged.put(nic.device(), nic);
    left = left.stream().filter(other -> other != nic.device()).toList();
  }

  private void drop(Predicate<Device> which, String why) {
    for (Device nic : left.stream().filter(which).toList()) {
      decide(RailNic.foreign(nic, why));
    }
  }

  private void dropUnlessAll(
      Predicate<Device> which, java.util.function.Function<Device, String> why) {
    if (count(which) < left.size()) {
      for (Device nic : left.stream().filter(which).toList()) {
        decide(RailNic.foreign(nic, why.apply(nic)));
      }
    }
  }

  private long count(Predicate<Device> which) {
    return left.stream().filter(which).count();
  }

  private Link nearest(Device from, List<Device> to) {
    return to.stream()
        .map(device -> machine.link(from, device))
        .min(Comparator.naturalOrder())
        .orElse(Link.UNKNOWN);
  }

  private static boolean layer(Device nic, String layer) {
    return nic.fact("linkLayer").orElse("").equalsIgnoreCase(layer);
  }

  private static boolean defaultRoute(Device nic) {
    return nic.fact("defaultRoute").orElse("").equals("true");
  }

  /** What the port is instead of active; empty where it is active or nobody told. */
  private static Optional<String> state(Device nic) {
    Optional<String> told =
        nic.fact("state").map(text -> text.replaceAll("[^A-Za-z]", "").toUpperCase(Locale.ROOT));
    if (told.isPresent()) {
      return told.filter(state -> !state.isEmpty() && !state.equals("ACTIVE"));
    }
    // hwloc writes the kernel's number: 4 is active.
    List<String> ports =
        nic.part().facts().entrySet().stream()
            .filter(fact -> fact.getKey().matches("Port[0-9]+State"))
            .map(Map.Entry::getValue)
            .toList();
    boolean down = !ports.isEmpty() && !ports.contains("4");
    return down ? Optional.of("not active") : Optional.empty();
  }

  private static OptionalDouble rate(Device nic) {
    String text = nic.fact("rateGbps").orElse("");
    return text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?")
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  private static String plain(double rate) {
    return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
  }

  /** Numbers in names by value; PCI addresses, which are hexadecimal, as they are. */
  private static String sortable(Device nic) {
    return nic.name().equals(nic.pci())
        ? nic.pci()
        : DIGITS
            .matcher(nic.name())
            .replaceAll(
                digits -> "0".repeat(Math.max(0, 8 - digits.group().length())) + digits.group());
  }
}
