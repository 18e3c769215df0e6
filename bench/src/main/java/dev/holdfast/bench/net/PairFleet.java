package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that are measured two by two. One that cannot be started, dies or falls silent is missing
 * from then on, with the reason; the others go on.
 */
final class PairFleet implements AutoCloseable {
  private static final long START_NANOS = 60_000_000_000L;
  private static final long START_NANOS_A_RANK = 2_000_000_000L;
  private static final long PING_NANOS = 500_000_000;
  private static final long GRACE_NANOS = 2_000_000_000;
  private static final Fields NOTHING = Fields.of("hello", Map.of());

  private final PairPlan plan;
  private final RankSite site;
  private final long silenceNanos;
  private final List<RankRun> runs = new ArrayList<>();
  private final LinkedBlockingQueue<RankEvent> events = new LinkedBlockingQueue<>();
  private final RankDoor door;
  private final RankPlaces places;
  private final Map<Integer, Fields> hellos = new HashMap<>();
  private final Map<Integer, String> missing = new HashMap<>();
  private final long[] heard;
  private long pinged;
  private int number;

  /** Two ranks, the lower one first. */
  record Two(int first, int second) {
    Two {
      if (first >= second) {
        throw new IllegalArgumentException("%d - %d".formatted(first, second));
      }
    }

    static Two of(int one, int other) {
      return new Two(Math.min(one, other), Math.max(one, other));
    }

    int other(int rank) {
      return rank == first ? second : first;
    }
  }

  /** Starts all ranks and waits for those that come. */
  static PairFleet start(PairPlan plan, RankSite site) throws IOException {
    PairFleet fleet = new PairFleet(plan, site);
    try {
      fleet.begin();
      return fleet;
    } catch (IOException | RuntimeException | Error problem) {
      fleet.close();
      throw problem;
    }
  }

  private PairFleet(PairPlan plan, RankSite site) throws IOException {
    this.plan = plan;
    this.site = site;
    this.silenceNanos = (long) (plan.silenceSeconds() * 1e9);
    this.heard = new long[plan.ranks()];
    this.door = new RankDoor(plan.ranks(), plan.words(), site.address(), events);
    this.places = RankPlaces.of(plan.transport(), plan.ranks());
  }

  private void begin() throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      int own = rank;
      RankSettings settings =
          new RankSettings(
              site.address().getHostAddress(),
              door.port(),
              door.token(),
              rank,
              plan.ranks(),
              plan.words(),
              plan.transport(),
              plan.streams(),
              site.network(rank),
              plan.bind() && site.remote() ? site.seat(rank) : RankSeat.NONE,
              places.path().toString(),
              places.room(),
              Math.max(plan.bytes(), PairTrial.PROBE_BYTES),
              true,
              true,
              plan.silenceSeconds());
      RankRun run = site.start(rank, settings.line());
      runs.add(run);
      run.ended().thenAccept(code -> events.add(new RankEvent.Ended(own, code)));
    }
    long end = System.nanoTime() + START_NANOS + START_NANOS_A_RANK * plan.ranks();
    while (hellos.size() + missing.size() < plan.ranks() && System.nanoTime() < end) {
      hear(Set.of());
    }
    for (int rank = 0; rank < plan.ranks(); rank++) {
      if (!hellos.containsKey(rank)) {
        missing.putIfAbsent(rank, "it did not start in time" + words(rank));
      }
    }
  }

  /** Why a rank takes no part; empty when it does. */
  String missing(int rank) {
    return missing.getOrDefault(rank, "");
  }

  /** The address and card of each rank that came. */
  List<String> cards() {
    return hellos.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            it ->
                "%s %s %s"
                    .formatted(
                        site.remote() ? site.hosts().get(it.getKey()) : "rank " + it.getKey(),
                        it.getValue().text("address"),
                        it.getValue().text("card", "")))
        .toList();
  }

  /** What the machines of the ranks that came are, and their Java. */
  Map<String, String> facts() {
    List<Integer> came = hellos.keySet().stream().sorted().toList();
    return HostFacts.of(
        came.stream().map(it -> hellos.getOrDefault(it, NOTHING).textMap("facts")).toList(),
        site.remote() ? came.stream().map(site.hosts()::get).toList() : List.of());
  }

  /** How busy the machine of each rank was so far, and the rank itself; of those that answer. */
  Map<Integer, LoadSample> look() throws IOException {
    Set<Integer> waiting = new HashSet<>(hellos.keySet());
    waiting.removeAll(missing.keySet());
    waiting.forEach(rank -> tell(rank, "look", true));
    Arrays.fill(heard, System.nanoTime());
    Map<Integer, LoadSample> samples = new TreeMap<>();
    while (!waiting.isEmpty()) {
      if (hear(waiting) instanceof RankEvent.Said(int rank, Fields said) && said.has("looked")) {
        samples.put(rank, LoadSample.read(said.object("looked")));
        waiting.remove(rank);
      }
      // Whoever is silent for too long is missing then.
      waiting.removeAll(missing.keySet());
    }
    return samples;
  }

  private String words(int rank) {
    List<String> said = runs.get(rank).said();
    return said.isEmpty() ? "" : ": " + String.join(" / ", said);
  }

  /** Connects pairs. Why that failed, for those where it did. */
  Map<Two, String> meet(List<Two> pairs) throws IOException {
    Map<Two, String> failed = new HashMap<>();
    // The one who connects has three times to wait for the other side at most.
    step(pairs, 3 * silenceNanos + GRACE_NANOS, this::meeting, failed);
    return failed;
  }

  private Object[] meeting(Two pair, int rank) {
    int peer = pair.other(rank);
    Fields there = hellos.getOrDefault(peer, NOTHING);
    return new Object[] {
      "with", peer, "address", there.text("address", ""), "port", there.integer("port", 0)
    };
  }

  /**
   * Has connected pairs do an operation, each so often as wanted.
   *
   * @return the nanoseconds of each iteration, of the first of each pair
   */
  Map<Two, long[]> time(
      Map<Two, Integer> iterations, Operation operation, long within, Map<Two, String> failed)
      throws IOException {
    Map<Two, Fields> answers =
        step(
            List.copyOf(iterations.keySet()),
            within,
            (pair, _) ->
                new Object[] {
                  "operation", operation.tree(), "iterations", iterations.getOrDefault(pair, 1)
                },
            failed);
    Map<Two, long[]> nanos = new HashMap<>();
    answers.forEach(
        (pair, answer) ->
            nanos.put(pair, answer.numbers("nanos").stream().mapToLong(Long::longValue).toArray()));
    return nanos;
  }

  /** What a rank of a pair is told to do. */
  private interface Order {
    Object[] of(Two pair, int rank);
  }

  /** One order to both ranks of each pair; the answers of the first ones where both did it. */
  private Map<Two, Fields> step(List<Two> pairs, long within, Order order, Map<Two, String> failed)
      throws IOException {
    number++;
    Map<Integer, Two> waiting = new HashMap<>();
    Map<Integer, Fields> answers = new HashMap<>();
    for (Two pair : pairs) {
      for (int rank : List.of(pair.first(), pair.second())) {
        waiting.put(rank, pair);
        tell(rank, joined(order.of(pair, rank)));
      }
    }
    Arrays.fill(heard, System.nanoTime());
    long end = System.nanoTime() + within;
    Set<Two> abandoned = new HashSet<>();
    boolean late = false;
    while (!waiting.isEmpty()) {
      RankEvent event = hear(waiting.keySet());
      if (event instanceof RankEvent.Said(int rank, Fields said)
          && said.integer("did", -1) == number) {
        Two pair = waiting.remove(rank);
        if (said.has("failed") && pair != null) {
          failed.putIfAbsent(pair, said.text("failed"));
        } else {
          answers.put(rank, said);
        }
      }
      for (int rank : List.copyOf(waiting.keySet())) {
        Two pair = waiting.get(rank);
        if (pair != null && missing.containsKey(rank)) {
          failed.putIfAbsent(pair, name(rank) + " is gone: " + missing(rank));
          waiting.remove(rank);
        }
      }
      long now = System.nanoTime();
      if (now > end && late) {
        waiting.keySet().forEach(it -> missing.put(it, "it did not come back from a measurement"));
      } else if (now > end) {
        late = true;
        end = now + silenceNanos + GRACE_NANOS;
        waiting
            .values()
            .forEach(
                it -> failed.putIfAbsent(it, "took longer than %.0f s".formatted(within / 1e9)));
      }
      for (Map.Entry<Integer, Two> one : waiting.entrySet()) {
        String why = failed.get(one.getValue());
        if (why != null && abandoned.add(one.getValue())) {
          tell(one.getKey(), "abandon", why);
          tell(one.getValue().other(one.getKey()), "abandon", why);
        }
      }
    }
    Map<Two, Fields> done = new HashMap<>();
    for (Two pair : pairs) {
      Fields answer = answers.get(pair.first());
      if (answer != null && answers.containsKey(pair.second()) && !failed.containsKey(pair)) {
        done.put(pair, answer);
      }
    }
    return done;
  }

  private Object[] joined(Object[] order) {
    Object[] all = Arrays.copyOf(order, order.length + 2);
    all[order.length] = "pair";
    all[order.length + 1] = number;
    return all;
  }

  /** Waits a little for something to happen and keeps account of who is there. */
  private @Nullable RankEvent hear(Set<Integer> wanted) throws IOException {
    RankEvent event;
    try {
      event = events.poll(PING_NANOS / 4, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      throw new Stopped(interrupted);
    }
    long now = System.nanoTime();
    switch (event) {
      case null -> {}
      case RankEvent.Said(int rank, Fields said) -> {
        heard[rank] = now;
        if (said.has("hello")) {
          hellos.put(rank, said);
        } else if (said.has("problem") || said.has("fault")) {
          missing.putIfAbsent(rank, said.text("problem", said.text("fault", "")));
        }
      }
      case RankEvent.Silent(int rank) -> missing.putIfAbsent(rank, "its connection broke");
      case RankEvent.Ended(int rank, int code) -> {
        String advice = hellos.containsKey(rank) ? "" : site.advice(rank, code);
        missing.put(
            rank,
            "it ended with code "
                + code
                + (advice.isEmpty() ? "" : " (" + advice + ")")
                + words(rank));
      }
    }
    if (now - pinged > PING_NANOS) {
      pinged = now;
      hellos.keySet().forEach(rank -> tell(rank, "ping", now));
    }
    for (int rank : wanted) {
      if (now - heard[rank] > silenceNanos) {
        missing.putIfAbsent(
            rank, "it has not answered for %.0f s".formatted((now - heard[rank]) / 1e9));
      }
    }
    return event;
  }

  /** How a rank is called where people read it. */
  String name(int rank) {
    return site.remote() ? site.hosts().get(rank) : "rank " + rank;
  }

  private void tell(int rank, @Nullable Object... namesAndValues) {
    Wire wire = door.wires().get(rank);
    if (wire != null) {
      try {
        wire.say(namesAndValues);
      } catch (IOException gone) {
        // Its end is heard of in another way.
      }
    }
  }

  @Override
  public void close() {
    for (int rank = 0; rank < runs.size(); rank++) {
      tell(rank, "end", true);
    }
    await(System.nanoTime() + GRACE_NANOS);
    runs.forEach(RankRun::kill);
    await(System.nanoTime() + 2 * GRACE_NANOS);
    door.close();
    try {
      places.close();
    } catch (IOException left) {
      // A folder nobody can read but us.
    }
  }

  private void await(long end) {
    for (RankRun run : runs) {
      try {
        run.ended().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException late) {
        // It is killed next.
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
