package dev.holdfast.bench.store;

import java.util.ArrayList;
import java.util.List;

/** All rounds of all cases; what is compared are medians over the rounds. */
record Samples(List<Sample> all) {
  Samples {
    all = List.copyOf(all);
  }

  private double[] values(String contender, Case of, String name) {
    return all.stream()
        .filter(sample -> sample.contender().equals(contender) && sample.of().equals(of))
        .mapToDouble(sample -> sample.value(name))
        .filter(value -> !Double.isNaN(value))
        .sorted()
        .toArray();
  }

  /** Not a number where no round gave any. */
  double median(String contender, Case of, String name) {
    double[] values = values(contender, of, name);
    int half = values.length / 2;
    if (values.length == 0) {
      return Double.NaN;
    }
    return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  }

  /** How far the rounds lie apart, as a share of their median. */
  double spread(String contender, Case of, String name) {
    double[] values = values(contender, of, name);
    return values.length < 2
        ? 0
        : (values[values.length - 1] - values[0]) / median(contender, of, name);
  }

  /** The cases in the order they were first measured. */
  List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Sample sample : all) {
      if (!cases.contains(sample.of())) {
        cases.add(sample.of());
      }
    }
    return cases;
  }

  List<String> failures() {
    return all.stream()
        .filter(sample -> !sample.failed().isEmpty())
        .map(
            sample ->
                "%s, %s with %d clients: %s"
                    .formatted(
                        sample.contender(),
                        sample.of().label(),
                        sample.of().connections(),
                        sample.failed()))
        .distinct()
        .toList();
  }
}
