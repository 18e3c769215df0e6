package dev.holdfast.core.forensics.flight;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A dump counts progress by the rank's own numbers of its groups, and names the groups elsewhere.
 * Which belongs to which? Entries say both; for the rest both were given in order of creation, so
 * they pair up where there are as many names as numbers and nothing an entry says speaks against
 * it.
 */
final class GroupNumbers {
  private GroupNumbers() {}

  static Map<Long, String> match(
      Collection<Long> numbers, Collection<String> names, Map<Long, String> said) {
    Map<Long, String> matched = new HashMap<>(said);
    if (numbers.size() != names.size() || !names.stream().allMatch(GroupNumbers::counted)) {
      return matched;
    }
    List<Long> left = numbers.stream().sorted().toList();
    List<String> right = new ArrayList<>(names);
    right.sort(Comparator.comparingLong(Long::parseLong));
    for (int i = 0; i < left.size(); i++) {
      if (!said.getOrDefault(left.get(i), right.get(i)).equals(right.get(i))) {
        return matched;
      }
    }
    for (int i = 0; i < left.size(); i++) {
      matched.put(left.get(i), right.get(i));
    }
    return matched;
  }

  private static boolean counted(String name) {
    return !name.isEmpty()
        && name.length() < 10
        && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
