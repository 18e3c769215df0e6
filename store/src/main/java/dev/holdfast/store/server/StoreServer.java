package dev.holdfast.store.server;

import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import dev.holdfast.store.protocol.Operation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A rendezvous store on one port: one keyspace, a few threads, everybody who may connect. A new
 * attempt of a job gets a server of its own, so that no key of a dead attempt is ever seen.
 */
public final class StoreServer implements AutoCloseable {
  private static final long SAY_AGAIN_NANOS = 60_000_000_000L;
  private static final long END_NANOS = 10_000_000_000L;

  /** So many of those it cut off are remembered. */
  private static final int REMEMBERED = 16;

  /** So many strangers go when there is no descriptor for another connection. */
  private static final int ROOM_AT_ONCE = 64;

  private final Limits limits;
  private final Dialect legacy;
  private final AccessList access;
  private final Shared shared;
  private final String label;
  private final Keyspace keyspace;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<IoLoop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLongArray dropped = new AtomicLongArray(DropReason.values().length);
  private final AtomicLong open = new AtomicLong();
  private final ArrayDeque<Dropped> lastDropped = new ArrayDeque<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final int port;
  private final AtomicBoolean released = new AtomicBoolean();
  private @Nullable IoLoop executing;
  private int nextLoop;
  private long acceptFailedNanos;
  private Runnable atEnd = () -> {};

  private StoreServer(StoreOptions options, Shared shared, String label) throws IOException {
    this.limits = options.limits();
    this.legacy = options.legacy();
    this.access = options.access();
    this.shared = shared;
    this.label = label;
    this.keyspace = new Keyspace(limits, shared.keys());
    try {
      for (int i = 0; i < options.threads(); i++) {
        loops.add(new IoLoop(this));
      }
      this.port = loops.getFirst().listen(options.address(), options.backlog());
    } catch (IOException cannotServe) {
      loops.forEach(IoLoop::closeAll);
      throw cannotServe;
    }
  }

  /** Starts to serve; {@code log} is told why connections were closed that were not just ended. */
  public static StoreServer start(StoreOptions options, Consumer<String> log) throws IOException {
    Notices notices = new Notices(log, System::nanoTime);
    try {
      StoreServer server = start(options, Shared.of(options.limits(), notices), "");
      server.atEnd = notices::close;
      notices.failure().thenAccept(server::failed);
      return server;
    } catch (IOException cannotServe) {
      notices.close();
      throw cannotServe;
    }
  }

  /**
   * Starts to serve beside others.
   *
   * @param label what its notices begin with
   */
  public static StoreServer start(StoreOptions options, Shared shared, String label)
      throws IOException {
    StoreServer server = new StoreServer(options, shared, label);
    for (IoLoop loop : server.loops) {
      Thread thread =
          Thread.ofPlatform()
              .name("store " + server.port + "/" + server.threads.size())
              .unstarted(loop);
      server.threads.add(thread);
      thread.start();
    }
    return server;
  }

  public int port() {
    return port;
  }

  Limits limits() {
    return limits;
  }

  Dialect legacy() {
    return legacy;
  }

  Keyspace keyspace() {
    return keyspace;
  }

  Buffers buffers() {
    return shared.buffers();
  }

  Garbage garbage() {
    return shared.garbage();
  }

  Places places() {
    return shared.places();
  }

  long now() {
    return shared.now();
  }

  void lock(IoLoop loop) {
    lock.lock();
    executing = loop;
  }

  void unlock() {
    lock.unlock();
  }

  /** The thread that holds the lock. */
  IoLoop executing() {
    IoLoop loop = executing;
    if (loop == null) {
      throw new IllegalStateException("nobody holds the lock");
    }
    return loop;
  }

  /** The thread that shall own a connection from this peer, or null when it may not connect. */
  @Nullable IoLoop admit(byte[] peer) {
    if (!access.allows(peer)) {
      refused.incrementAndGet();
      tell("not allowed", () -> Poller.text(peer) + " is not on the list of those who may connect");
      return null;
    }
    if (!places().take()) {
      refused.incrementAndGet();
      tell(
          "too many",
          () ->
              "%s is refused: all %d places are taken by those who have greeted"
                  .formatted(Poller.text(peer), places().most()));
      return null;
    }
    accepted.incrementAndGet();
    open.incrementAndGet();
    nextLoop = nextLoop + 1 == loops.size() ? 0 : nextLoop + 1;
    return loops.get(nextLoop);
  }

  private void tell(String kind, Supplier<String> line) {
    shared.notices().tell(kind, () -> label + line.get());
  }

  /** Said now and then while it lasts: it is tried again ten times a second. */
  void acceptFailed(int error) {
    places().makeRoom(ROOM_AT_ONCE);
    long now = now();
    if (acceptFailedNanos != 0 && now - acceptFailedNanos < SAY_AGAIN_NANOS) {
      return;
    }
    acceptFailedNanos = now;
    tell(
        "not taken",
        () -> "no connection can be taken: error " + -error + " (24: too many open files)");
  }

  void dropped(Connection connection, DropReason reason, String why) {
    dropped.incrementAndGet(reason.ordinal());
    tell("closed, " + reason.word(), () -> "%s closed: %s".formatted(name(connection), why));
  }

  private static String name(Connection connection) {
    String place = Poller.text(connection.peer) + ":" + connection.peerPort;
    String process = connection.process == 0 ? "" : " (process " + connection.process + ")";
    return connection.rank() < 0
        ? place + process
        : "rank %d, %s%s,".formatted(connection.rank(), place, process);
  }

  private record Dropped(StoreView.Peer peer, DropReason reason, String why, long nanos) {}

  /** Keeps in mind for the status whom it cut off; strangers are only counted. */
  void remember(Glance glance, DropReason reason, String why) {
    long now = now();
    Dropped one = new Dropped(StoreView.Peer.of(glance, now), reason, why, now);
    synchronized (lastDropped) {
      lastDropped.addFirst(one);
      while (lastDropped.size() > REMEMBERED) {
        lastDropped.removeLast();
      }
    }
  }

  private List<StoreView.CutOff> cutOff() {
    long now = now();
    synchronized (lastDropped) {
      return lastDropped.stream()
          .map(
              one ->
                  new StoreView.CutOff(
                      one.peer(), one.reason(), one.why(), (now - one.nanos()) / 1e9))
          .toList();
    }
  }

  /** A connection is closed. */
  void left(Connection connection) {
    open.decrementAndGet();
    places().left(connection);
  }

  /** What can be seen of the store now; waits for every thread, at most five seconds. */
  public StoreView view() {
    List<CompletableFuture<List<Glance>>> parts = new ArrayList<>();
    for (IoLoop loop : loops) {
      CompletableFuture<List<Glance>> part = new CompletableFuture<>();
      parts.add(part.completeOnTimeout(List.of(), 5, TimeUnit.SECONDS));
      loop.hand(() -> part.complete(loop.glances()));
    }
    List<StoreView.Peer> peers = new ArrayList<>();
    for (CompletableFuture<List<Glance>> part : parts) {
      long now = now();
      part.join().forEach(glance -> peers.add(StoreView.Peer.of(glance, now)));
    }
    long joined;
    lock.lock();
    try {
      joined = StoreView.joined(keyspace);
    } finally {
      lock.unlock();
    }
    return new StoreView(port, totals(), peers, cutOff(), joined);
  }

  /** What it counts; asks no other thread. */
  public StoreView.Totals totals() {
    Map<DropReason, Long> drops = new EnumMap<>(DropReason.class);
    for (DropReason reason : DropReason.values()) {
      drops.put(reason, dropped.get(reason.ordinal()));
    }
    long[] counts;
    long keys;
    long bytes;
    long waiting;
    long wakeUps;
    lock.lock();
    try {
      counts = keyspace.operations();
      keys = keyspace.keys();
      bytes = keyspace.memory();
      waiting = keyspace.waiting();
      wakeUps = keyspace.wakeUps();
    } finally {
      lock.unlock();
    }
    Map<Operation, Long> operations = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      operations.put(operation, counts[operation.ordinal()]);
    }
    return new StoreView.Totals(
        keys,
        bytes,
        buffers().used(),
        buffers().most(),
        open.get(),
        accepted.get(),
        refused.get(),
        drops,
        operations,
        waiting,
        wakeUps);
  }

  /**
   * A thread met what it should not have: a store with one thread less looks alive and is not, so
   * all of it ends, and clients and whoever started it see that at once.
   */
  void failed(Throwable defect) {
    loops.forEach(IoLoop::stop);
    failure.complete(defect);
  }

  /** Waits until a defect ends the store, if ever, and returns it. */
  public Throwable awaitFailure() throws InterruptedException {
    try {
      return failure.get();
    } catch (ExecutionException impossible) {
      return impossible;
    }
  }

  /** Completed when a defect ends the store. */
  public CompletableFuture<Throwable> failure() {
    return failure;
  }

  /** Ends every connection and every thread, within ten seconds; nothing of its keys is left. */
  @Override
  public void close() {
    loops.forEach(IoLoop::stop);
    long deadline = System.nanoTime() + END_NANOS;
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!released.getAndSet(true)) {
      keyspace.release();
      atEnd.run();
    }
  }
}
