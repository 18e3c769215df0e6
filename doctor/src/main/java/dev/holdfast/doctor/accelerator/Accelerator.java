package dev.holdfast.doctor.accelerator;

import dev.holdfast.core.health.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One GPU or NPU as facts with the same names whatever its maker.
 *
 * @param vendor {@code nvidia}, {@code amd} or {@code ascend}
 * @param facts name without the device prefix ({@code ecc.volatile.uncorrected.dram}) to value
 * @param source what evidence names as the origin of a fact, up to the fact's name
 */
public record Accelerator(
    String node, int index, String vendor, Map<String, String> facts, String source) {
  public Accelerator {
    facts = Map.copyOf(facts);
  }

  public Subject subject() {
    return new Subject.Node(node).gpu(index);
  }

  public String model() {
    return text("name").orElse("unknown model");
  }

  public Optional<String> text(String fact) {
    return Optional.ofNullable(facts.get(fact));
  }

  public OptionalLong number(String fact) {
    String value = facts.get(fact);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(value.startsWith("0x") ? Long.decode(value) : Long.parseLong(value));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  public OptionalDouble decimal(String fact) {
    try {
      return facts.containsKey(fact)
          ? OptionalDouble.of(Double.parseDouble(facts.get(fact)))
          : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** Whether the fact is there and says so ({@code true}, {@code yes} or 1). */
  public boolean says(String fact) {
    String value = facts.getOrDefault(fact, "");
    return value.equals("true") || value.equals("yes") || value.equals("1");
  }

  /** The origin of a fact, for evidence. */
  public String source(String fact) {
    return source + fact;
  }
}
