package dev.holdfast.core.forensics.flight;

import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that was found of one job.
 *
 * @param flights by rank
 * @param unreadable ranks whose dump could not be read, and why
 * @param absent ranks that take part and have no dump that can be read
 * @param written when each rank's dump was, in nanoseconds since 1970, as far as it is known
 * @param quiet how long nothing had happened when the dumps were written, in nanoseconds; −1: not
 *     known
 */
public record Recordings(
    Vocabulary vocabulary,
    NavigableMap<Integer, Flight> flights,
    Map<Integer, String> unreadable,
    NavigableSet<Integer> absent,
    Map<Integer, Long> written,
    long quiet) {
  private static final long STANDS = 10_000_000_000L;
  private static final int LAST = 64;

  /**
   * Puts dumps together.
   *
   * @param world how many ranks there should be, 0: whoever a dump names
   */
  public static Recordings of(
      Vocabulary vocabulary,
      Collection<Flight> flights,
      Map<Integer, String> unreadable,
      int world) {
    TreeMap<Integer, Flight> byRank = new TreeMap<>();
    flights.forEach(flight -> byRank.put(flight.rank(), flight));
    TreeSet<Integer> absent = new TreeSet<>(unreadable.keySet());
    for (Group group : vocabulary.groups()) {
      for (int member : group.members()) {
        absent.add(member);
      }
    }
    for (int rank = 0; rank < world; rank++) {
      absent.add(rank);
    }
    absent.removeAll(byRank.keySet());
    return new Recordings(vocabulary, byRank, Map.copyOf(unreadable), absent, Map.of(), -1);
  }

  /** The same, with what is known of when the dumps were written. */
  public Recordings quietFor(long nanoseconds) {
    return new Recordings(vocabulary, flights, unreadable, absent, written, nanoseconds);
  }

  /** The same, with when the dump of each rank was written. */
  public Recordings writtenAt(Map<Integer, Long> nanoseconds) {
    return new Recordings(vocabulary, flights, unreadable, absent, Map.copyOf(nanoseconds), quiet);
  }

  /** When the last thing happened that a dump tells of, nanoseconds since 1970; 0: never. */
  public long newest() {
    return flights.values().stream().mapToLong(Recordings::newest).max().orElse(0);
  }

  /** The same of one dump. */
  static long newest(Flight flight) {
    long newest = 0;
    Entries entries = flight.entries();
    for (int i = Math.max(0, entries.size() - LAST); i < entries.size(); i++) {
      newest = Math.max(newest, Math.max(entries.arrived(i), entries.completed[i]));
    }
    return newest;
  }

  /** Whether the job was still moving when the dumps were written. */
  boolean moving() {
    return quiet >= 0 && quiet < STANDS;
  }

  /** How many ranks there are, with a dump or without. */
  public int world() {
    return flights.size() + absent.size();
  }

  /** Entries in all dumps. */
  public long entries() {
    return flights.values().stream().mapToLong(Flight::size).sum();
  }
}
