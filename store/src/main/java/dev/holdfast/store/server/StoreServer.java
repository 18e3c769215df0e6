package dev.holdfast.store.server;

import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A rendezvous store on one port: one keyspace, a few threads, everybody who may connect. A new
 * attempt of a job gets a server of its own, so that no key of a dead attempt is ever seen.
 */
public final class StoreServer implements AutoCloseable {
  private static final long SAY_AGAIN_NANOS = 60_000_000_000L;

  private final Limits limits;
  private final Dialect legacy;
  private final AccessList access;
  private final Consumer<String> log;
  private final Keyspace keyspace;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<IoLoop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final int port;
  private @Nullable IoLoop executing;
  private int nextLoop;
  private long acceptFailedNanos;

  private StoreServer(StoreOptions options, Consumer<String> log) throws IOException {
    this.limits = options.limits();
    this.legacy = options.legacy();
    this.access = options.access();
    this.log = log;
    this.keyspace = new Keyspace(limits);
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
    StoreServer server = new StoreServer(options, log);
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

  long now() {
    return System.nanoTime();
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
      log.accept(Poller.text(peer) + " is not on the list of those who may connect");
      return null;
    }
    if (open.get() >= limits.connections()) {
      refused.incrementAndGet();
      log.accept("more than " + limits.connections() + " connections");
      return null;
    }
    accepted.incrementAndGet();
    open.incrementAndGet();
    nextLoop = nextLoop + 1 == loops.size() ? 0 : nextLoop + 1;
    return loops.get(nextLoop);
  }

  /** Said now and then while it lasts: it is tried again ten times a second. */
  void acceptFailed(int error) {
    long now = now();
    if (acceptFailedNanos != 0 && now - acceptFailedNanos < SAY_AGAIN_NANOS) {
      return;
    }
    acceptFailedNanos = now;
    log.accept("no connection can be taken: error " + -error + " (24: too many open files)");
  }

  void closed(Connection connection, String why) {
    open.decrementAndGet();
    if (!why.isEmpty()) {
      dropped.incrementAndGet();
      log.accept(
          "%s:%d closed: %s".formatted(Poller.text(connection.peer), connection.peerPort, why));
    }
  }

  /** What can be seen of the store now; waits for every thread, at most five seconds. */
  public StoreView view() {
    List<CompletableFuture<List<StoreView.Peer>>> parts = new ArrayList<>();
    for (IoLoop loop : loops) {
      CompletableFuture<List<StoreView.Peer>> part = new CompletableFuture<>();
      parts.add(part.completeOnTimeout(List.of(), 5, TimeUnit.SECONDS));
      loop.hand(() -> part.complete(peers(loop)));
    }
    List<StoreView.Peer> peers = new ArrayList<>();
    for (CompletableFuture<List<StoreView.Peer>> part : parts) {
      peers.addAll(part.join());
    }
    lock.lock();
    try {
      return new StoreView(
          port,
          keyspace.keys(),
          keyspace.memory(),
          accepted.get(),
          refused.get(),
          dropped.get(),
          peers,
          StoreView.joined(keyspace));
    } finally {
      lock.unlock();
    }
  }

  private List<StoreView.Peer> peers(IoLoop loop) {
    long now = now();
    lock(loop);
    try {
      return loop.connections().stream()
          .map(connection -> StoreView.Peer.of(connection, now))
          .toList();
    } finally {
      unlock();
    }
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

  /** Ends every connection and every thread. */
  @Override
  public void close() {
    loops.forEach(IoLoop::stop);
    for (Thread thread : threads) {
      try {
        thread.join(5000);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
