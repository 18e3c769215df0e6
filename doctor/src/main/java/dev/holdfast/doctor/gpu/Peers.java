package dev.holdfast.doctor.gpu;

import dev.holdfast.doctor.accelerator.Accelerator;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What most accelerators of the same model on the node say: the measure for the odd one. */
final class Peers {
  private Peers() {}

  /** The devices by model, so that like is compared with like. */
  static Map<String, List<Accelerator>> byModel(List<Accelerator> devices) {
    return devices.stream()
        .filter(device -> device.text("name").isPresent())
        .collect(
            Collectors.groupingBy(
                Accelerator::model, LinkedHashMap::new, Collectors.toUnmodifiableList()));
  }

  /** The value more than half of at least three devices share; two alone cannot tell who is odd. */
  static Optional<String> majority(List<Accelerator> devices, String fact) {
    Map<String, Long> votes =
        devices.stream()
            .flatMap(device -> device.text(fact).stream())
            .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
    long all = votes.values().stream().mapToLong(Long::longValue).sum();
    return votes.entrySet().stream()
        .max(Comparator.comparingLong(Map.Entry::getValue))
        .filter(most -> all >= 3 && most.getValue() * 2 > all)
        .map(Map.Entry::getKey);
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
