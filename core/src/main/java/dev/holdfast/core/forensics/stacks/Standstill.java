package dev.holdfast.core.forensics.stacks;

import dev.holdfast.core.forensics.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which rank do the others wait for, by where each of them stands?
 *
 * <p>Ranks that wait for others stand in a collective, at the store or in the backward pass. Where
 * some do and a few stand elsewhere, these few are awaited. Where all wait for each other, or
 * nobody does, stacks alone do not tell.
 */
public final class Standstill {
  /** Where a rank stood. */
  public record Stand(int rank, Place place, String frame, String call) {
    /** {@code waits for a lock or another thread: step@train.py:40, in futex}. */
    public String words() {
      return place.words()
          + (frame.isEmpty() ? "" : ": " + frame)
          + (call.isEmpty() ? "" : ", in " + call);
    }
  }

  /**
   * What was seen of one rank.
   *
   * @param stacks of its threads, outermost frame first; empty: none could be had
   * @param call the system call its main thread is in, empty: not known
   * @param state of the process, as in {@code /proc}; a blank: not known
   * @param why there are no stacks
   */
  public record Seen(int rank, List<List<String>> stacks, String call, char state, String why) {
    public Seen {
      stacks = stacks.stream().map(List::copyOf).toList();
    }

    Stand stand() {
      Optional<List<String>> main = main();
      if (main.isEmpty()) {
        Place place =
            switch (state) {
              case 'T', 't' -> Place.STOPPED;
              case 'D' -> Place.UNINTERRUPTIBLE;
              case 'Z', 'X' -> Place.GONE;
              default -> why.contains("process is gone") ? Place.GONE : Place.UNKNOWN;
            };
        return new Stand(rank, place, "", call);
      }
      List<String> frames = main.get();
      for (int i = frames.size() - 1; i >= 0; i--) {
        Optional<Place> known = Place.of(frames.get(i));
        if (known.isPresent()) {
          return new Stand(rank, known.get(), frames.get(i), call);
        }
      }
      return new Stand(rank, byCall(), frames.getLast(), call);
    }

    /** The thread that runs the script: threads of Python begin elsewhere. */
    private Optional<List<String>> main() {
      return stacks.stream()
          .filter(stack -> !stack.isEmpty() && stack.getFirst().startsWith("<module>"))
          .findFirst()
          .or(
              () ->
                  stacks.stream()
                      .filter(stack -> !stack.isEmpty())
                      .filter(stack -> !stack.getFirst().startsWith("_bootstrap"))
                      .reduce((_, last) -> last));
    }

    private Place byCall() {
      if (call.startsWith("futex")) {
        return Place.LOCK;
      }
      if (call.contains("nanosleep") || call.startsWith("hrtimer")) {
        return Place.SLEEP;
      }
      return switch (call) {
        case "read(file)", "write(file)", "fsync", "fdatasync" -> Place.FILE;
        case "recvfrom", "recvmsg", "connect", "accept", "read(socket)", "write(socket)" ->
            Place.CONNECTION;
        default -> Place.OWN_CODE;
      };
    }
  }

  private final Map<Integer, Stand> stands = new TreeMap<>();

  private Standstill(List<Seen> seen) {
    seen.forEach(one -> stands.put(one.rank(), one.stand()));
  }

  public static Standstill of(List<Seen> seen) {
    return new Standstill(seen);
  }

  /** Where each rank stands. */
  public Map<Integer, Stand> stands() {
    return Map.copyOf(stands);
  }

  /** Who waits for others. */
  public List<Integer> waiting() {
    return ranks(true);
  }

  /**
   * Who is awaited: stands elsewhere while others wait, or is the only one. Empty: it cannot be
   * told.
   */
  public List<Integer> awaited() {
    List<Integer> elsewhere = ranks(false);
    if (stands.size() == 1) {
      return elsewhere;
    }
    return waiting().isEmpty() || 2 * elsewhere.size() > stands.size() ? List.of() : elsewhere;
  }

  private List<Integer> ranks(boolean waits) {
    return stands.values().stream()
        .filter(stand -> stand.place() != Place.UNKNOWN && stand.place().waits() == waits)
        .map(Stand::rank)
        .toList();
  }

  /** 0 to 1: the fewer are awaited of many, the surer. */
  public double confidence() {
    double share = (double) awaited().size() / Math.max(1, stands.size());
    return share <= 0.25 || stands.size() == 1 ? 0.85 : 0.65;
  }

  /** One sentence about who is awaited. */
  public String what() {
    List<Integer> awaited = awaited();
    Stand first = first(awaited);
    boolean same = awaited.stream().allMatch(rank -> first.place() == stand(rank).place());
    String who = (awaited.size() == 1 ? "Rank " : "Ranks ") + Ranks.show(awaited);
    if (stands.size() == 1) {
      return who + ", the only one, " + first.place().words() + ".";
    }
    String others = waiting().size() == 1 ? "1 other waits" : waiting().size() + " others wait";
    return "%s %s while %s for it."
        .formatted(
            who, same ? plural(first.place().words(), awaited.size()) : "are elsewhere", others)
        .replace("for it.", awaited.size() == 1 ? "for it." : "for them.");
  }

  /** A line for each awaited rank, then one for those that wait. */
  public List<String> evidence(int most) {
    List<String> lines = new ArrayList<>();
    awaited().stream()
        .limit(most)
        .forEach(rank -> lines.add("rank " + rank + " " + stand(rank).words()));
    List<Integer> waiting = waiting();
    if (waiting.isEmpty()) {
      return lines;
    }
    lines.add(Ranks.named(waiting) + " " + plural(first(waiting).words(), waiting.size()));
    return lines;
  }

  private Stand stand(int rank) {
    return stands.getOrDefault(rank, new Stand(rank, Place.UNKNOWN, "", ""));
  }

  private Stand first(List<Integer> ranks) {
    return stand(ranks.getFirst());
  }

  /** {@code waits …} of one, {@code wait …} of several. */
  private static String plural(String words, int count) {
    if (count == 1) {
      return words;
    }
    if (words.startsWith("is ")) {
      return "are" + words.substring(2);
    }
    if (words.startsWith("has ")) {
      return "have" + words.substring(3);
    }
    int space = words.indexOf(' ');
    int end = space < 0 ? words.length() : space;
    return words.charAt(end - 1) == 's'
        ? words.substring(0, end - 1) + words.substring(end)
        : words;
  }
}
