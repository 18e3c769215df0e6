package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of one round: processes of their own, what they are told to do and what they answer. A
 * rank that dies, stops or is cut off ends the round within the time agreed upon, and all others
 * learn who it was.
 */
final class RankFleet implements AutoCloseable {
  private static final long START_NANOS = 60_000_000_000L;
  private static final long START_NANOS_A_RANK = 2_000_000_000L;
  private static final long PING_NANOS = 500_000_000;
  private static final long GRACE_NANOS = 1_000_000_000;

  /** Each of the three steps of a greeting may take three seconds. */
  private static final long KNOCK_NANOS = 12_000_000_000L;

  /** So much of the time of calls may go to other threads of a rank. */
  private static final double QUIET = 0.05;

  /** The clocks of processes and threads are not read at once: so much is nobody's work. */
  private static final double UNCERTAIN_SECONDS = 50e-6;

  private final NetPlan plan;
  private final RankSite site;
  private final List<RankRun> runs = new ArrayList<>();
  private final List<String> cards = new ArrayList<>();
  private final List<Map<String, String>> facts = new ArrayList<>();
  private final LinkedBlockingQueue<RankEvent> events = new LinkedBlockingQueue<>();
  private final RankDoor door;
  private final Blame blame;
  private final List<Integer> cores;
  private boolean bound;
  private long pinged;
  private String about = "";

  /** Starts them and waits until all are connected with each other. */
  static RankFleet start(NetPlan plan, RankSite site) throws IOException {
    RankFleet fleet = new RankFleet(plan, site);
    try (RankPlaces places = RankPlaces.of(plan.transport(), plan.ranks())) {
      fleet.begin(places);
      return fleet;
    } catch (IOException | RuntimeException | Error problem) {
      fleet.close();
      throw problem;
    }
  }

  private RankFleet(NetPlan plan, RankSite site) throws IOException {
    this.plan = plan;
    this.site = site;
    this.cores = site.remote() ? List.of() : FreeCores.of(plan);
    this.door = new RankDoor(plan.ranks(), plan.words(), site.address(), events);
    this.blame = new Blame(plan.ranks(), (long) (plan.silenceSeconds() * 1e9), site, this::pid);
  }

  /** Whether each rank has a core to itself. */
  boolean bound() {
    return bound;
  }

  /** The cores of the ranks, by rank; none where they have none to themselves. */
  List<Integer> cores() {
    return bound ? cores : List.of();
  }

  /** The address and card of each rank, where they are on several hosts. */
  List<String> cards() {
    return cards;
  }

  /** What performs the operations, where that is not ourselves. */
  String about() {
    return about;
  }

  private void begin(RankPlaces places) throws IOException {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      start(
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
              seat(rank),
              places.path().toString(),
              places.room(),
              plan.largest(),
              plan.needsOther(),
              false,
              plan.silenceSeconds()));
    }
    long patience = START_NANOS + START_NANOS_A_RANK * plan.ranks();
    List<Fields> hellos = all("hello", patience);
    List<Map<String, @Nullable Object>> peers = new ArrayList<>();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      Fields hello = hellos.get(rank);
      peers.add(Json.map("address", hello.text("address"), "port", hello.integer("port")));
      facts.add(hello.textMap("facts"));
      if (site.remote()) {
        cards.add(
            "%s %s %s"
                .formatted(site.hosts().get(rank), hello.text("address"), hello.text("card", "")));
      }
    }
    order("peers", peers, "id", hellos.getFirst().text("id", ""));
    List<Fields> ready = all("ready", patience);
    bound = ready.stream().allMatch(it -> it.flag("bound"));
    about = ready.getFirst().text("about", "");
  }

  /** What the machine of each rank is. */
  List<Map<String, String>> facts() {
    return facts;
  }

  /** How busy the machine of each rank was so far, and the rank itself. */
  List<LoadSample> look() throws IOException {
    order("look", true);
    return all("looked", Long.MAX_VALUE).stream()
        .map(it -> LoadSample.read(it.object("looked")))
        .toList();
  }

  private RankSeat seat(int rank) {
    if (plan.transport() == Transport.NCCL) {
      return RankSeat.gpu(site.remote() ? site.seat(rank).index() : rank);
    }
    return !plan.bind()
        ? RankSeat.NONE
        : site.remote() ? site.seat(rank) : RankSeat.of(cores.isEmpty() ? -1 : cores.get(rank));
  }

  private void start(RankSettings settings) throws IOException {
    RankRun run = site.start(settings.rank(), settings.line());
    runs.add(run);
    run.ended().thenAccept(code -> events.add(new RankEvent.Ended(settings.rank(), code)));
  }

  private long pid(int rank) {
    return runs.get(rank).pid();
  }

  List<Long> pids() {
    return runs.stream().map(RankRun::pid).toList();
  }

  /** The last lines a rank wrote. */
  List<String> said(int rank) {
    return runs.get(rank).said();
  }

  /** Has all ranks do an operation once and counts wrong elements. */
  long check(Operation operation) throws IOException {
    order("operation", operation.tree(), "check", true);
    return all("done", Long.MAX_VALUE).stream().mapToLong(it -> it.number("wrong")).sum();
  }

  /**
   * Calls that were timed.
   *
   * @param nanos of each, rank by rank
   * @param others as in {@link Warm}
   */
  record Timed(List<long[]> nanos, double others) {
    /** Of the slowest rank, in seconds. */
    double total() {
      return nanos.stream().mapToLong(one -> Arrays.stream(one).sum()).max().orElse(0) / 1e9;
    }

    boolean compiling() {
      return RankFleet.compiling(others, total());
    }
  }

  /** Has all ranks do an operation so often. */
  Timed time(Operation operation, int iterations) throws IOException {
    order("operation", operation.tree(), "check", false, "iterations", iterations);
    List<Fields> answers = all("done", Long.MAX_VALUE);
    return new Timed(
        answers.stream()
            .map(it -> it.numbers("nanos").stream().mapToLong(Long::longValue).toArray())
            .toList(),
        others(answers));
  }

  /** Compilers are at work, and what they compile is not what it will be. */
  private static boolean compiling(double others, double total) {
    return others > Math.max(QUIET * total, UNCERTAIN_SECONDS);
  }

  /** NCCL has threads of its own, which carry what is measured; they are nobody's disturbance. */
  private double others(List<Fields> answers) {
    return plan.transport() == Transport.NCCL ? 0 : most(answers, "others");
  }

  /** Of all ranks, in seconds. */
  private static double most(List<Fields> answers, String name) {
    return answers.stream().mapToLong(it -> it.number(name)).max().orElse(0) / 1e9;
  }

  /**
   * So many calls, in seconds: the median and the sum, of the slowest rank.
   *
   * @param others what threads that do not call had of the processor meanwhile, in the rank where
   *     it was most
   */
  record Warm(int calls, double median, double total, double others) {
    private static final double UNEVEN = 2;

    /** Some calls take far longer than most. */
    boolean uneven() {
      return total > UNEVEN * median * calls;
    }

    boolean compiling() {
      return RankFleet.compiling(others, total);
    }
  }

  /** Has all ranks do an operation so often, for the sake of it. */
  Warm warm(Operation operation, int iterations) throws IOException {
    order("operation", operation.tree(), "check", false, "iterations", iterations, "brief", true);
    List<Fields> answers = all("done", Long.MAX_VALUE);
    return new Warm(iterations, most(answers, "median"), most(answers, "total"), others(answers));
  }

  private void order(@Nullable Object... namesAndValues) {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      tell(rank, namesAndValues);
    }
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

  /** Waits for this answer of every rank. */
  private List<Fields> all(String answer, long withinNanos) throws IOException {
    Map<Integer, Fields> answers = new HashMap<>();
    long start = System.nanoTime();
    blame.begin(start);
    while (answers.size() < plan.ranks()) {
      RankEvent event = next(PING_NANOS / 2);
      long now = System.nanoTime();
      if (event instanceof RankEvent.Said(int rank, Fields message) && message.has(answer)) {
        answers.put(rank, message);
      }
      if (event != null) {
        blame.heard(event, now);
      }
      ping(now);
      RankFailure verdict = blame.verdict(now, this::said);
      if (verdict != null) {
        throw stopAll(blame.guessed() && site.remote() ? knocked(verdict) : verdict);
      }
      if (now - start > withinNanos) {
        throw stopAll(missing(answers));
      }
    }
    return answers.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  /** All stand still and complain about each other: they see who can still be reached. */
  private RankFailure knocked(RankFailure otherwise) throws IOException {
    order("knock", true);
    Reach reach = new Reach(plan.ranks());
    Set<Integer> waited = new HashSet<>(door.wires().keySet());
    long end = System.nanoTime() + KNOCK_NANOS;
    while (!waited.isEmpty() && System.nanoTime() < end) {
      if (next(PING_NANOS) instanceof RankEvent.Said(int rank, Fields said)
          && said.has("knocked")
          && waited.remove(rank)) {
        said.objects("knocked").forEach(it -> reach.add(rank, it.integer("rank"), it.text("why")));
      }
    }
    RankFailure verdict = reach.verdict(rank -> site.who(rank, pid(rank)));
    return verdict == null ? otherwise : verdict;
  }

  private RankFailure missing(Map<Integer, Fields> answers) {
    for (int rank = 0; rank < plan.ranks(); rank++) {
      if (!answers.containsKey(rank)) {
        return new RankFailure(
            rank,
            "%s did not start in time%s"
                .formatted(
                    site.who(rank, pid(rank)),
                    said(rank).isEmpty() ? "" : ": " + String.join(" / ", said(rank))));
      }
    }
    return new RankFailure(-1, "the ranks did not start in time");
  }

  private @Nullable RankEvent next(long nanos) throws IOException {
    try {
      return events.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      throw new Stopped(interrupted);
    }
  }

  private void ping(long now) {
    if (now - pinged > PING_NANOS) {
      pinged = now;
      order("ping", now);
    }
  }

  /** Tells every rank whose fault it is, so that each ends and says so. */
  private RankFailure stopAll(RankFailure verdict) {
    order("stop", Json.line(String.valueOf(verdict.getMessage())).replace("\"", ""));
    long end = System.nanoTime() + 10 * GRACE_NANOS;
    for (int rank = 0; rank < runs.size(); rank++) {
      if (rank != verdict.rank()) {
        await(runs.get(rank), end);
      }
    }
    return verdict;
  }

  private static void await(RankRun run, long end) {
    try {
      run.ended().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException late) {
      // What it said so far is what there is.
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    order("end", true);
    long end = System.nanoTime() + 2 * GRACE_NANOS;
    runs.forEach(run -> await(run, end));
    runs.forEach(RankRun::kill);
    long killed = System.nanoTime() + 5 * GRACE_NANOS;
    runs.forEach(run -> await(run, killed));
    door.close();
  }

  /**
   * Each iteration of the rank that took longest in all, in seconds: an operation is over when the
   * last one is done, and those who only send are done early.
   */
  static double[] seconds(List<long[]> nanos, int messages) {
    long[] slowest = nanos.getFirst();
    for (long[] ofRank : nanos) {
      slowest = Arrays.stream(ofRank).sum() > Arrays.stream(slowest).sum() ? ofRank : slowest;
    }
    return Arrays.stream(slowest).mapToDouble(it -> it / 1e9 / messages).toArray();
  }
}
