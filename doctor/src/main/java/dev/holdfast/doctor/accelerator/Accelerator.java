package dev.holdfast.doctor.accelerator;

import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Subject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One GPU or NPU as facts with the same names whatever its maker.
 *
 * @param vendor {@code nvidia}, {@code amd} or {@code ascend}
 * @param facts name without the device prefix ({@code ecc.volatile.uncorrected.dram}) to value
 * @param source what evidence names as the origin of a fact, up to the fact's name
 */
public record Accelerator(
    String node, int index, String vendor, Map<String, String> facts, String source) {
  private static final Pattern SERVER_PART =
      Pattern.compile("^(NVIDIA |Tesla )?(G?[ABHLV]\\d{1,3}[A-Z]{0,2}|T4)\\b|Instinct|^Ascend");

  public Accelerator {
    facts = Map.copyOf(facts);
  }

  /** The same device with one fact more. */
  Accelerator with(String fact, String value) {
    Map<String, String> more = new HashMap<>(facts);
    more.put(fact, value);
    return new Accelerator(node, index, vendor, more, source);
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

  /** Why the driver did not tell the fact: {@code NOT_SUPPORTED}, {@code NO_PERMISSION}. */
  public Optional<String> refusal(String fact) {
    return Optional.ofNullable(facts.get(fact + "!"));
  }

  /** What the device is called where one name must hold over time: its PCI address, or number. */
  public String key() {
    return text("pci.address").orElse(Integer.toString(index));
  }

  /** A counter's name in the history: it must survive that indices shift when a GPU is lost. */
  public String counter(String fact) {
    return "gpu/" + key() + "/" + fact;
  }

  /** Whether it is made for servers, so that its defaults are those of a training node. */
  public boolean dataCentre() {
    return product().isPresent() || SERVER_PART.matcher(model()).find();
  }

  /** Links to other accelerators which the product always has; 0 where that is not known. */
  public int productLinks() {
    return product().map(Product::links).orElse(0);
  }

  private Optional<Product> product() {
    long number = number("pci.device").orElse(0) >> 16;
    return Product.find(vendor, "0x%04x".formatted(number));
  }

  /** How far a finding about this device can be proven at most: we hold recordings of one maker. */
  public Proof proof() {
    return vendor.equals("nvidia") ? Proof.HARDWARE : Proof.DOCUMENTED;
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
