package dev.holdfast.doctor.processor;

import java.util.Optional;
import java.util.TreeSet;

/** Processor numbers as sysfs writes them: {@code 0-63,128-191}. */
public record ProcessorList(TreeSet<Integer> numbers) {
  private static final int MAX_NUMBER = 8192;

  public ProcessorList {
    numbers = new TreeSet<>(numbers);
  }

  /** The numbers; empty when the text is of another form. */
  public static Optional<ProcessorList> parse(String text) {
    TreeSet<Integer> numbers = new TreeSet<>();
    if (text.isBlank()) {
      return Optional.of(new ProcessorList(numbers));
    }
    for (String range : text.strip().split(",")) {
      String[] ends = range.split("-", 2);
      try {
        int first = Integer.parseInt(ends[0]);
        int last = Integer.parseInt(ends[ends.length - 1]);
        if (first < 0 || last < first || last > MAX_NUMBER) {
          return Optional.empty();
        }
        for (int number = first; number <= last; number++) {
          numbers.add(number);
        }
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
    return Optional.of(new ProcessorList(numbers));
  }

  public int size() {
    return numbers.size();
  }

  /** Those of this list which are in the other, too. */
  public ProcessorList within(ProcessorList other) {
    TreeSet<Integer> both = new TreeSet<>(numbers);
    both.retainAll(other.numbers);
    return new ProcessorList(both);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Integer start = null;
    Integer last = null;
    for (Integer number : numbers) {
      if (start == null || last == null || number != last + 1) {
        append(text, start, last);
        start = number;
      }
      last = number;
    }
    append(text, start, last);
    return text.toString();
  }

  private static void append(
      StringBuilder text,
      @org.jspecify.annotations.Nullable Integer start,
      @org.jspecify.annotations.Nullable Integer last) {
    if (start != null && last != null) {
      text.append(text.isEmpty() ? "" : ",").append(start);
      text.append(start.equals(last) ? "" : "-" + last);
    }
  }
}
