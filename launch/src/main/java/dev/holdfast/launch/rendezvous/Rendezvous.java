package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in a job: joins the launchers of the other nodes, keeps the lease of its ranks,
 * tells how they end, and is told when to start and stop them. One thread does it all; what it asks
 * of the node goes through {@link NodeDuties}.
 */
public final class Rendezvous implements AutoCloseable {
  private static final long TICK_MILLIS = 50;
  private static final long NANOS = 1_000_000;
  private static final long LAST_WORDS_MILLIS = 500;

  /** More than the last words take; a machine may be busy. */
  private static final Duration GOODBYE = Duration.ofSeconds(5);

  private final Node node;
  private final NodeDuties duties;
  private final StoreKeeper stores;
  private final @Nullable Arbiter arbiter;
  private final Duration claim;
  private final Network network;
  private final Queue<Input> inputs = new ConcurrentLinkedQueue<>();
  private volatile View view;
  private final Thread thread;
  private volatile boolean closing;
  private Effect.@Nullable Finish finish;
  private final Consumer<Memory> keep;
  private @Nullable Memory kept;

  private Rendezvous(
      Setup setup,
      Network network,
      NodeDuties duties,
      Judge judge,
      StoreKeeper stores,
      @Nullable Arbiter arbiter,
      Consumer<Memory> keep,
      @Nullable Memory memory) {
    this.keep = keep;
    this.duties = duties;
    this.stores = stores;
    this.network = network;
    this.arbiter = arbiter;
    claim = setup.timings().lease().plus(setup.timings().margin());
    SplittableRandom random = new SplittableRandom();
    node =
        memory == null
            ? new Node(setup, arbiter != null, judge, random, now())
            : new Node(
                setup,
                arbiter != null,
                judge,
                random,
                now(),
                memory,
                setup.self().port() == memory.self.port());
    view = node.view(now());
    thread = Thread.ofPlatform().name("rendezvous").daemon(true).unstarted(this::loop);
  }

  /**
   * Joins the job, or begins it. No rank of an earlier launcher of this node may be left.
   *
   * @throws dev.holdfast.core.error.HoldfastException if this node must listen and cannot
   */
  public static Rendezvous start(Setup setup, NodeDuties duties, Judge judge, StoreKeeper stores) {
    return start(setup, duties, judge, stores, null, _ -> {});
  }

  /**
   * The same, with somebody outside who says who leads.
   *
   * @param arbiter null: a majority of the first launchers does
   * @param keep keeps what {@link #resume} needs; called on the rendezvous's own thread before what
   *     follows from it is done, and must return at once
   */
  public static Rendezvous start(
      Setup setup,
      NodeDuties duties,
      Judge judge,
      StoreKeeper stores,
      @Nullable Arbiter arbiter,
      Consumer<Memory> keep) {
    return begin(setup, Network.open(setup), duties, judge, stores, arbiter, keep, null);
  }

  /**
   * Goes on as the launcher this memory is of, whose process has ended while its ranks run. What
   * became of them meanwhile is to be said at once: {@link #exited}, {@link #stopped}.
   *
   * @param setup as at the start; who this launcher is, the memory says
   */
  public static Rendezvous resume(
      Setup setup,
      NodeDuties duties,
      Judge judge,
      StoreKeeper stores,
      @Nullable Arbiter arbiter,
      Consumer<Memory> keep,
      Memory memory) {
    Setup same = setup.withSelf(memory.self);
    return begin(same, Network.reopen(same), duties, judge, stores, arbiter, keep, memory);
  }

  private static Rendezvous begin(
      Setup setup,
      Network network,
      NodeDuties duties,
      Judge judge,
      StoreKeeper stores,
      @Nullable Arbiter arbiter,
      Consumer<Memory> keep,
      @Nullable Memory memory) {
    Member self = setup.self();
    Setup reachable =
        setup.isAlone()
            ? setup
            : setup.withSelf(
                new Member(
                    self.node(),
                    self.incarnation(),
                    self.host(),
                    network.port(),
                    self.processes(),
                    self.order()));
    network.introduce(reachable.self());
    Rendezvous rendezvous =
        new Rendezvous(reachable, network, duties, judge, stores, arbiter, keep, memory);
    rendezvous.thread.start();
    return rendezvous;
  }

  /** How this node's ranks are; about once a second. */
  public void activity(List<RankActivity> ranks) {
    say(new Input.Activity(List.copyOf(ranks)));
  }

  /** A rank of this node ended, well or not. */
  public void exited(RankEvidence rank) {
    say(new Input.Exited(rank));
  }

  /** No rank of the attempt is left on this node, asked for or not. */
  public void stopped(int attempt) {
    say(new Input.Stopped(attempt));
  }

  /** Has the ranks of all nodes looked at closely, if this launcher leads. */
  public void collect() {
    say(new Input.Collect());
  }

  /** Ends the job on all nodes; {@link NodeDuties#finish} follows. */
  public void endJob(int exitCode, String why) {
    say(new Input.EndJob(exitCode, why));
  }

  /** Ends this node's part only: stops its ranks, tells the others, {@link NodeDuties#finish}. */
  public void leave(int exitCode, String why) {
    say(new Input.Leave(exitCode, why, false));
  }

  /**
   * The same when the ranks are gone already, for example with their supervisor, and this process
   * is about to end: returns when the others were told, or after {@link #GOODBYE}.
   */
  public void gone(int exitCode, String why) throws InterruptedException {
    say(new Input.Leave(exitCode, why, true));
    thread.join(GOODBYE);
  }

  /** How things stand, at most a tick ago. */
  public View view() {
    return view;
  }

  /** Stops taking part at once, without a word to anybody. */
  @Override
  public void close() {
    closing = true;
    network.wakeUp();
    if (!Thread.currentThread().equals(thread)) {
      try {
        thread.join(Duration.ofSeconds(5));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void say(Input input) {
    inputs.add(input);
    network.wakeUp();
  }

  /** The machine's clock, which goes on when this process is started again. */
  private static long now() {
    return System.nanoTime() / NANOS;
  }

  private void loop() {
    try (network) {
      long nextTick = now();
      while (!closing && finish == null) {
        long now = now();
        if (now >= nextTick) {
          act(new Input.Tick());
          nextTick = now + TICK_MILLIS;
          view = node.view(now);
        }
        for (Input input = inputs.poll(); input != null; input = inputs.poll()) {
          act(input);
        }
        if (finish == null && inputs.isEmpty()) {
          network.await(Math.max(1, nextTick - now()), this::act);
        }
      }
      Effect.Finish end = finish;
      if (end != null) {
        network.flush(LAST_WORDS_MILLIS);
        view = node.view(now());
        duties.finish(end.exitCode(), end.why());
      }
    }
  }

  private void act(Input input) {
    List<Effect> effects = node.on(input, now());
    Memory memory = node.memory();
    if (!memory.sameAs(kept)) {
      kept = memory;
      keep.accept(memory);
    }
    effects.forEach(this::perform);
  }

  private void perform(Effect effect) {
    switch (effect) {
      case Effect.Send send -> network.send(send.addresses(), send.message());
      case Effect.Start start -> duties.start(start.assignment());
      case Effect.Stop stop -> duties.stop(stop.attempt(), stop.grace(), stop.why(), stop.hang());
      case Effect.Collect _ -> duties.collect();
      case Effect.Lease lease -> duties.lease(lease.until() * NANOS);
      case Effect.Finish end -> finish = end;
      case Effect.Note note -> duties.note(note.kind(), note.text());
      case Effect.Claim wanted -> claim(wanted);
      case Effect.Release given -> {
        Arbiter outside = arbiter;
        if (outside != null) {
          var _ = outside.release(given.holder(), given.term());
        }
      }
      case Effect.OpenStore open -> openStore(open);
      case Effect.CloseStore close -> closeStore(close);
    }
  }

  private void claim(Effect.Claim wanted) {
    Arbiter outside = arbiter;
    if (outside == null) {
      return;
    }
    long askedAt = now();
    CompletableFuture<Arbiter.Grant> answer =
        wanted.term() > 0
            ? outside.renew(wanted.holder(), wanted.term(), claim)
            : outside.claim(wanted.holder(), wanted.wanted(), claim);
    // No answer changes nothing: the lease runs out by itself.
    var _ =
        answer.thenAccept(
            grant ->
                say(
                    grant.granted()
                        ? new Input.Claimed(grant.term(), askedAt)
                        : new Input.ClaimRefused(wanted.term(), grant.holder())));
  }

  private void openStore(Effect.OpenStore open) {
    int attempt = open.attempt();
    view = node.view(now());
    var _ =
        stores
            .open(attempt, open.term(), open.allowed())
            .whenComplete(
                (place, failure) ->
                    say(
                        failure == null
                            ? new Input.StoreOpened(attempt, place)
                            : new Input.StoreFailed(attempt, reason(failure), isOld(failure))));
  }

  private void closeStore(Effect.CloseStore close) {
    int attempt = close.attempt();
    var _ =
        stores
            .close(attempt, close.term())
            .whenComplete((_, _) -> say(new Input.StoreClosed(attempt)));
  }

  private static boolean isOld(Throwable failure) {
    return failure instanceof StoreKeeper.OldAttempt
        || failure.getCause() instanceof StoreKeeper.OldAttempt;
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
