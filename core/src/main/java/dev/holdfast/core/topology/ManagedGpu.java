package dev.holdfast.core.topology;

import java.util.Map;

/**
 * A GPU under the number its management library gives it.
 *
 * @param library {@code NVML} or {@code RSMI}
 * @param number what {@code CUDA_VISIBLE_DEVICES} and its like take
 * @param facts such as {@code uuid} and {@code model}
 */
public record ManagedGpu(String library, int number, Map<String, String> facts) {
  public ManagedGpu {
    facts = Map.copyOf(facts);
    if (number < 0 || !library.matches("[A-Z]{1,20}")) {
      throw new IllegalArgumentException("not a GPU of a management library: " + library + number);
    }
  }

  Part part() {
    Part.Builder part =
        Part.of(PartKind.OS_DEVICE)
            .name(library.toLowerCase(java.util.Locale.ROOT) + number)
            .subtype(library);
    facts.forEach(part::fact);
    return part.build();
  }
}
