package dev.holdfast.doctor.site;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.text.Bytes;
import java.util.List;
import java.util.Optional;

/** What the site expects of one fact. */
public sealed interface Requirement {
  /** Sizes of memory differ a little from node to node, by what firmware keeps for itself. */
  double MEMORY_TOLERANCE = 0.03;

  /** One of these values. */
  record AnyOf(List<String> values) implements Requirement {
    public AnyOf {
      values = List.copyOf(values);
    }

    @Override
    public boolean accepts(String fact, String actual) {
      return values.stream().anyMatch(value -> same(fact, value, actual));
    }

    @Override
    public boolean isAbove(String fact, String actual) {
      return values.stream().allMatch(value -> compare(fact, actual, value) < 0);
    }

    @Override
    public Optional<String> single() {
      return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    @Override
    public String words() {
      return String.join(" or ", values);
    }
  }

  /** At least and at most; either may be open. */
  record Range(Optional<String> least, Optional<String> most) implements Requirement {
    @Override
    public boolean accepts(String fact, String actual) {
      return least.map(limit -> compare(fact, actual, limit) >= 0).orElse(true)
          && most.map(limit -> compare(fact, actual, limit) <= 0).orElse(true);
    }

    @Override
    public boolean isAbove(String fact, String actual) {
      return least.filter(limit -> compare(fact, actual, limit) < 0).isPresent();
    }

    @Override
    public String words() {
      return (least.map(limit -> "at least " + limit).orElse("")
              + " "
              + most.map(limit -> "at most " + limit).orElse(""))
          .strip();
    }
  }

  boolean accepts(String fact, String actual);

  /** Whether everything it accepts is more than this. */
  boolean isAbove(String fact, String actual);

  /** How messages put it: {@code 8}, {@code A or B}, {@code at least 550}. */
  String words();

  /** The one value expected, if it is one. */
  default Optional<String> single() {
    return Optional.empty();
  }

  static Requirement equalTo(String value) {
    return new AnyOf(List.of(value));
  }

  private static boolean same(String fact, String expected, String actual) {
    if (!fact.endsWith(".bytes")) {
      return expected.equals(actual);
    }
    try {
      double wanted = Bytes.parse(expected).count();
      double found = Bytes.parse(actual).count();
      return Math.abs(found - wanted) <= MEMORY_TOLERANCE * wanted;
    } catch (IllegalArgumentException e) {
      return expected.equals(actual);
    }
  }

  /** By size for memory, else by version, which is by number for plain numbers. */
  private static int compare(String fact, String left, String right) {
    if (fact.endsWith(".bytes")) {
      try {
        return Bytes.parse(left).compareTo(Bytes.parse(right));
      } catch (IllegalArgumentException e) {
        return left.compareTo(right);
      }
    }
    Optional<Version> first = Version.find(left);
    Optional<Version> second = Version.find(right);
    return first.isPresent() && second.isPresent()
        ? first.get().compareTo(second.get())
        : left.compareTo(right);
  }
}
