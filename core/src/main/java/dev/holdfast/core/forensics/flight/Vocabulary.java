package dev.holdfast.core.forensics.flight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The words of all dumps of one job, each kept once and known by a number. Thousands of ranks name
 * the same groups, operations and sizes millions of times. Any thread may ask.
 */
public final class Vocabulary {
  private static final int MOST_RANK = 10_000_000;

  private final Map<Object, Integer> numbers = new ConcurrentHashMap<>();
  private final List<Object> words = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Operation> parsed = new ConcurrentHashMap<>();
  private final Map<Object, Group> groups = new ConcurrentHashMap<>();
  private final Map<String, int[]> members = new ConcurrentHashMap<>();

  public Vocabulary() {
    // Number 0 is what an entry has that does not say.
    number("");
  }

  int number(Object word) {
    Integer known = numbers.get(word);
    return known != null ? known : number0(word);
  }

  private synchronized int number0(Object word) {
    return numbers.computeIfAbsent(
        word,
        it -> {
          words.add(it);
          return words.size() - 1;
        });
  }

  Object word(int number) {
    return words.get(number);
  }

  Operation operation(int number) {
    String text = String.valueOf(word(number));
    return parsed.computeIfAbsent(text, Operation::of);
  }

  /** The same group whoever names it; another one where the same name has other members. */
  synchronized Group group(String name, String role, int[] ranks) {
    return groups.computeIfAbsent(
        List.of(name, Arrays.hashCode(ranks), ranks.length),
        _ -> new Group(groups.size(), name, role, ranks));
  }

  List<Group> groups() {
    return groups.values().stream().sorted(Comparator.comparingInt(Group::id)).toList();
  }

  /** Members as PyTorch writes them: {@code [0, 1, 2]}. */
  int[] members(String text) {
    return members.computeIfAbsent(text, Vocabulary::parse);
  }

  private static int[] parse(String text) {
    int[] ranks = new int[16];
    int count = 0;
    int value = -1;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ']';
      if (c >= '0' && c <= '9') {
        value = Math.min(MOST_RANK, Math.max(value, 0) * 10 + c - '0');
      } else if (value >= 0) {
        ranks = count == ranks.length ? Arrays.copyOf(ranks, 2 * count) : ranks;
        ranks[count++] = value;
        value = -1;
      }
    }
    return Arrays.copyOf(ranks, count);
  }
}
