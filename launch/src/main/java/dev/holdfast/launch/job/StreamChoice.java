package dev.holdfast.launch.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which streams of which local rank, as torchrun writes it: {@code 3} for all ranks, {@code
 * 0:1,1:2} for some of them. 0 none, 1 output, 2 errors, 3 both.
 *
 * @param otherwise for every rank that is not named
 */
public record StreamChoice(int otherwise, Map<Integer, Integer> byRank) {
  public static final StreamChoice NONE = new StreamChoice(0, Map.of());
  public static final StreamChoice BOTH = new StreamChoice(3, Map.of());

  private static final int MAX_TEXT = 4096;
  private static final Pattern PART = Pattern.compile("(\\d{1,5}):([0-3])");

  public StreamChoice {
    byRank = Map.copyOf(byRank);
  }

  public int of(int localRank) {
    return Optional.ofNullable(byRank.get(localRank)).orElse(otherwise);
  }

  public static StreamChoice parse(String text) {
    String plain = text.strip();
    if (plain.matches("[0-3]")) {
      return new StreamChoice(Integer.parseInt(plain), Map.of());
    }
    Map<Integer, Integer> byRank = new LinkedHashMap<>();
    for (String part : plain.length() > MAX_TEXT ? new String[] {""} : plain.split(",", -1)) {
      Matcher pair = PART.matcher(part.strip());
      if (!pair.matches()) {
        throw new IllegalArgumentException(
            "'"
                + text
                + "' names no streams: write 0 (none), 1 (output), 2 (errors) or 3 (both), or by"
                + " local rank 0:1,1:2");
      }
      byRank.put(Integer.parseInt(pair.group(1)), Integer.parseInt(pair.group(2)));
    }
    return new StreamChoice(0, byRank);
  }

  /** What {@link #parse} reads again. */
  @Override
  public String toString() {
    return byRank.isEmpty()
        ? Integer.toString(otherwise)
        : new TreeMap<>(byRank)
            .entrySet().stream()
                .map(rank -> rank.getKey() + ":" + rank.getValue())
                .collect(Collectors.joining(","));
  }
}
