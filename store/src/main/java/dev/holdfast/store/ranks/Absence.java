package dev.holdfast.store.ranks;

import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whom the others wait for. When at least half of a world waits for one key, it is a barrier or a
 * meeting, and the ranks that do not wait for it are the ones to look at. Who they are can be told
 * only when every connection that waits there has a rank; else only how many.
 *
 * @param key what is waited for
 * @param waiting how many ranks wait for it
 * @param count how many do not
 * @param ranks those who do not, a few of them; none when it cannot be told who they are
 * @param connected those among them that are connected
 * @param seconds for how long nobody else has come
 */
public record Absence(
    String key,
    int world,
    int waiting,
    int count,
    List<Integer> ranks,
    List<Integer> connected,
    double seconds) {
  private static final int NAMED = 64;

  public Absence {
    ranks = List.copyOf(ranks);
    connected = List.copyOf(connected);
  }

  /** What is known of one awaited key. */
  private static final class Awaited {
    private final Set<Integer> ranks = new HashSet<>();
    private final Set<String> unnamed = new HashSet<>();
    private double seconds = Double.MAX_VALUE;

    void add(NamedPeer peer) {
      if (peer.rank() >= 0) {
        ranks.add(peer.rank());
      } else {
        unnamed.add(
            peer.process() == 0
                ? peer.peer().address() + ":" + peer.peer().port()
                : peer.peer().address() + " " + peer.process());
      }
      seconds = Math.min(seconds, peer.peer().waitsSeconds());
    }

    int size() {
      return ranks.size() + unnamed.size();
    }
  }

  /** Whom a world waits for, if it does; {@code world} below 1 is not known. */
  public static Optional<Absence> of(int world, List<NamedPeer> peers) {
    Map<String, Awaited> awaited = new HashMap<>();
    for (NamedPeer peer : peers) {
      if (peer.waits()) {
        for (String key : peer.peer().waitsFor()) {
          awaited.computeIfAbsent(key, _ -> new Awaited()).add(peer);
        }
      }
    }
    return awaited.entrySet().stream()
        .max(
            Map.Entry.<String, Awaited>comparingByValue(
                    java.util.Comparator.comparingInt(Awaited::size))
                .thenComparing(Map.Entry.comparingByKey()))
        .filter(most -> world >= 2 && most.getValue().size() * 2 >= world)
        .filter(most -> most.getValue().size() < world)
        .map(most -> of(most.getKey(), most.getValue(), world, peers));
  }

  private static Absence of(String key, Awaited most, int world, List<NamedPeer> peers) {
    List<Integer> missing = new ArrayList<>();
    Set<Integer> connected = new TreeSet<>();
    if (most.unnamed.isEmpty()) {
      for (int rank = 0; rank < world && missing.size() < NAMED; rank++) {
        if (!most.ranks.contains(rank)) {
          missing.add(rank);
        }
      }
      peers.stream().map(NamedPeer::rank).filter(missing::contains).forEach(connected::add);
    }
    return new Absence(
        key,
        world,
        most.size(),
        world - most.size(),
        missing,
        List.copyOf(connected),
        most.seconds);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "key",
        key,
        "world",
        world,
        "waiting",
        waiting,
        "count",
        count,
        "ranks",
        ranks,
        "connected",
        connected,
        "seconds",
        Math.round(seconds * 1000) / 1000.0);
  }
}
