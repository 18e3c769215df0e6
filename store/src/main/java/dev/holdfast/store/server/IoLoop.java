package dev.holdfast.store.server;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Durations;
import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Operation;
import dev.holdfast.store.protocol.Scanner;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One thread that reads, executes and answers for its share of the connections.
 *
 * <p>A request costs one wait (shared by all that are ready), one read and one write; in between,
 * the store's lock is held for the few hundred nanoseconds its execution takes, so several of these
 * threads scale as long as the kernel's part of a request is the larger. Answers to connections of
 * another thread (a SET that ends their wait) are handed over to it: only the owner of a socket
 * writes to it or closes it, so a descriptor can never be one that was closed and used again.
 */
final class IoLoop implements Runnable {
  private static final int READ_BYTES = 64 << 10;
  private static final int SEND_BYTES = 256 << 10;

  /** So many times that is sent to one connection before the next has its turn. */
  private static final int SENDS = 4;

  private static final int ACCEPTS_AT_ONCE = 64;
  private static final int GLANCES_AT_ONCE = 256;

  /**
   * What may be done for one connection before the next has its turn, in bytes that could be copied
   * in that time: a tenth of a millisecond, and many more requests of a few bytes than one read
   * brings. A request that costs more than this alone waits for the end of the round.
   */
  private static final long TURN = 256 << 10;

  /** What is done in one round for those who have had their turn and have more. */
  private static final long LONG_TURNS = 1 << 20;

  private static final long LISTENER = Long.MAX_VALUE;
  private static final int RESET = -104;
  private static final int BROKEN_PIPE = -32;
  private static final int CONNECTION_ABORTED = -103;
  private static final int INTERRUPTED = -4;
  private static final int WAIT_MILLISECONDS = 1000;
  private static final long ACCEPT_PAUSE_NANOS = 100_000_000;
  private static final long SWEEP_NANOS = 1_000_000_000;

  /** Who has begun to greet has so long for the rest of it. */
  private static final long GREETING_NANOS = 10_000_000_000L;

  /**
   * In the middle of a request of somebody who has greeted something must come so often: far longer
   * than a network that loses packets makes a rank wait.
   */
  private static final long STALL_NANOS = 60_000_000_000L;

  private final StoreServer server;
  private final Poller poller;
  private final MemorySegment readBuffer;
  private final MemorySegment sendBuffer;

  /** For answers that did not fit; the other one may hold those of connections still to come. */
  private final MemorySegment largeBuffer;

  private final byte[] bytes = new byte[READ_BYTES];

  private final Slots slots = new Slots();
  private int listener = -1;
  private long acceptAgainNanos;
  private long sweptNanos;

  /** Connections of this thread in the middle of a request. */
  private final LinkedHashSet<Connection> unfinished = new LinkedHashSet<>();

  /** Connections of this thread that have sent more than one turn is for; the next one first. */
  private final ArrayDeque<Connection> turns = new ArrayDeque<>();

  /** What has been done for the connection whose turn it is. */
  private long done;

  /** Connections of this thread with answers; filled under the store's lock. */
  private final ArrayList<Connection> answered = new ArrayList<>();

  /** Work other threads leave here. */
  private final Queue<Runnable> handed = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean awake = new AtomicBoolean();
  private final ArrayList<IoLoop> toWake = new ArrayList<>();
  private volatile boolean stopping;

  IoLoop(StoreServer server) throws IOException {
    this.server = server;
    this.sweptNanos = server.now();
    this.poller = Poller.open();
    this.readBuffer = poller.allocate(READ_BYTES);
    this.sendBuffer = poller.allocate(SEND_BYTES);
    this.largeBuffer = poller.allocate(SEND_BYTES);
  }

  int listen(java.net.InetSocketAddress address, int backlog) throws IOException {
    listener = poller.listen(address, backlog);
    poller.add(listener, Poller.READ, LISTENER);
    return poller.port(listener);
  }

  @Override
  public void run() {
    try {
      while (!stopping) {
        int ready = poller.await(patience());
        resumeAccepting();
        for (int i = 0; i < ready && !stopping; i++) {
          long token = poller.token(i);
          if (token == LISTENER) {
            acceptAll();
          } else if (token < 0) {
            poller.drainWakeUps();
          } else {
            handle(token, poller.readiness(i));
          }
          if (awake.get()) {
            runHanded(); // those who are to go hold memory others wait for
          }
        }
        takeTurns();
        runHanded();
        sweep();
      }
      runHanded(); // connections handed over at the end are closed with the others
    } catch (RuntimeException | Error defect) {
      server.failed(defect);
    } finally {
      closeAll();
    }
  }

  private int patience() {
    if (!turns.isEmpty()) {
      return 0;
    }
    return acceptAgainNanos == 0 ? WAIT_MILLISECONDS : 100;
  }

  /**
   * Goes on with those who have sent more than one turn is for, one after the other. Who asks for
   * little was served before them in this round and is so again in the next, however many they are.
   */
  private void takeTurns() {
    long left = LONG_TURNS;
    for (int i = turns.size(); i > 0 && left > 0 && !stopping; i--) {
      Connection connection = turns.remove();
      connection.queued = false;
      connection.waitsForTurn = false;
      if (connection.open) {
        execute(connection, 0, true);
        left -= done;
        if (awake.get()) {
          runHanded();
        }
      }
    }
  }

  /** Puts it into the line, unless it has to take answers first: there is no room for another. */
  private void queue(Connection connection) {
    long unsent = connection.unsent.size();
    boolean room = unsent == 0 || unsent + server.limits().value() <= server.limits().backlog();
    if (connection.waitsForTurn && !connection.queued && room) {
      connection.queued = true;
      turns.add(connection);
    }
  }

  private void runHanded() {
    awake.set(false);
    for (Runnable work = handed.poll(); work != null; work = handed.poll()) {
      work.run();
    }
  }

  /** Leaves work for the thread; any thread may call it. */
  void hand(Runnable work) {
    handed.add(work);
    if (awake.compareAndSet(false, true)) {
      poller.wake();
    }
  }

  private void acceptAll() {
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
      int descriptor = poller.accept(listener);
      if (descriptor < 0) {
        if (descriptor == CONNECTION_ABORTED || descriptor == INTERRUPTED) {
          continue; // went before its turn came; the next may be there
        }
        if (descriptor != Poller.AGAIN) {
          pauseAccepting(descriptor);
        }
        return;
      }
      byte[] peer = poller.peer();
      int port = poller.peerPort();
      IoLoop owner = server.admit(peer);
      if (owner == null) {
        poller.closeSocket(descriptor);
      } else if (owner == this) {
        adopt(descriptor, peer, port);
      } else {
        owner.hand(() -> owner.adopt(descriptor, peer, port));
      }
    }
  }

  /** Out of descriptors: those who wait in line are taken later, and nothing spins meanwhile. */
  private void pauseAccepting(int error) {
    server.acceptFailed(error);
    poller.modify(listener, 0, LISTENER);
    acceptAgainNanos = server.now() + ACCEPT_PAUSE_NANOS;
  }

  private void resumeAccepting() {
    if (acceptAgainNanos != 0 && server.now() - acceptAgainNanos >= 0) {
      acceptAgainNanos = 0;
      poller.modify(listener, Poller.READ, LISTENER);
    }
  }

  private void adopt(int descriptor, byte[] peer, int port) {
    long token = slots.next();
    Connection connection =
        new Connection(
            this,
            descriptor,
            token,
            peer,
            port,
            server.now(),
            server.limits(),
            server.legacy(),
            server.buffers());
    slots.put(connection);
    server.places().came(connection);
    int added = poller.add(descriptor, Poller.READ, token);
    if (added < 0) {
      close(connection, DropReason.ERROR, "it cannot be watched: error " + -added);
    }
  }

  private void handle(long token, int readiness) {
    Connection connection = slots.find(token);
    if (connection == null) {
      return; // closed earlier in this round
    }
    // Who still takes answers is not asked for more questions meanwhile.
    boolean takes = (readiness & Poller.WRITE) != 0 && sendUnsent(connection);
    boolean asks = (readiness & (Poller.READ | Poller.BROKEN)) != 0;
    if (asks && !takes && connection.open && !connection.waitsForTurn) {
      read(connection);
    }
  }

  private void read(Connection connection) {
    int received = poller.receive(connection.descriptor, readBuffer, READ_BYTES);
    if (received > 0) {
      MemorySegment.copy(readBuffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, received);
      execute(connection, received, false);
    } else if (received != Poller.AGAIN) {
      if (received == 0 || gone(received)) {
        close(connection);
      } else {
        close(connection, DropReason.ERROR, "error " + -received);
      }
    }
  }

  /**
   * Does what a connection has asked, as far as its turn goes.
   *
   * @param length how much of it has just been read
   * @param alone whether its first request may cost more than a turn
   */
  private void execute(Connection connection, int length, boolean alone) {
    String refusal = "";
    DropReason reason = DropReason.ERROR;
    server.lock(this);
    try {
      long now = server.now();
      connection.lastNanos = now;
      Keyspace keyspace = server.keyspace();
      long requests = connection.requests;
      boolean fresh = connection.scanner.held() == 0;
      long begun = keyspace.work() + connection.copied;
      done = 0;
      boolean more =
          connection.scanner.take(
              bytes,
              0,
              length,
              (Operation operation, byte[] source, int start, int end) -> {
                long weight = keyspace.weight(operation, end - start);
                if (weight > TURN && (!alone || done > 0)) {
                  return Scanner.Next.NOT_YET;
                }
                connection.requests++;
                connection.last = operation;
                keyspace.execute(connection, operation, source, start, end, now);
                if (operation == Operation.SET) {
                  connection.wrote(source, start);
                }
                done = Math.max(weight, keyspace.work() + connection.copied - begun);
                return done < TURN ? Scanner.Next.GO_ON : Scanner.Next.PAUSE;
              });
      connection.waitsForTurn = more;
      if (fresh || connection.requests != requests) {
        connection.unfinishedNanos = now;
      }
    } catch (Scanner.Refused refused) {
      refusal = refused.why();
      reason = DropReason.GARBAGE;
    } catch (Keyspace.Impossible impossible) {
      refusal = String.valueOf(impossible.getMessage());
      reason = impossible.reason();
    } catch (RuntimeException unexpected) {
      // Costs the one who asked its connection, not everybody the thread that serves them.
      refusal = "its request failed: " + unexpected;
    } finally {
      try {
        handOverAnswers();
      } finally {
        server.unlock();
      }
    }
    afterExecution();
    if (!refusal.isEmpty()) {
      close(connection, reason, refusal);
    } else if (connection.open) {
      note(connection);
      queue(connection);
      watch(connection);
      account(connection);
    }
  }

  /** Takes note that it has greeted, and whether it is in the middle of a request. */
  private void note(Connection connection) {
    if (!connection.known && connection.scanner.greeted()) {
      connection.known = true;
      server.places().greeted(connection);
    }
    boolean begun = connection.scanner.held() > 0;
    if (begun != connection.listedUnfinished) {
      connection.listedUnfinished = begun;
      if (begun) {
        unfinished.add(connection);
      } else {
        unfinished.remove(connection);
      }
    }
  }

  /** Counts what a connection makes the store hold; where all hold too much, the slowest go. */
  private void account(Connection connection) {
    if (connection.open && server.buffers().count(connection)) {
      keepWithinBuffers();
      server.garbage().look();
    }
  }

  private void keepWithinBuffers() {
    while (server.buffers().over()) {
      List<Connection> slowest = server.buffers().slowest(server.now());
      if (slowest.isEmpty()) {
        return; // those chosen before are about to go
      }
      for (Connection one : slowest) {
        if (one.loop == this) {
          cutOff(one);
        } else {
          one.loop.hand(() -> one.loop.cutOffAndLook(one));
        }
      }
    }
  }

  private void cutOff(Connection slow) {
    close(
        slow,
        DropReason.BUFFERS,
        ("it is the slowest, and all clients hold more than %s of unread answers and unfinished"
                + " requests; it holds %s, the oldest for %s")
            .formatted(
                Bytes.of(server.buffers().most()),
                Bytes.of(slow.holds),
                Durations.show(
                    Duration.ofMillis((server.now() - slow.holdsSinceNanos) / 1_000_000))));
  }

  private void cutOffAndLook(Connection slow) {
    cutOff(slow);
    keepWithinBuffers();
  }

  /** Closes a connection that never greeted, so that another can come in. */
  void makePlace(Connection stranger) {
    if (!stranger.known) {
      close(stranger, DropReason.PLACE, "all places were taken, and it has not greeted");
    }
  }

  /** Ends requests that were begun and do not go on. */
  private void sweep() {
    long now = server.now();
    if (now - sweptNanos < SWEEP_NANOS) {
      return;
    }
    sweptNanos = now;
    server.garbage().look();
    for (Connection connection : List.copyOf(unfinished)) {
      if (!connection.known) {
        if (now - connection.unfinishedNanos >= GREETING_NANOS) {
          close(connection, DropReason.GREETING, "its greeting was not finished within 10 s");
        }
      } else if (!connection.waitsForTurn && now - connection.lastNanos >= STALL_NANOS) {
        close(
            connection,
            DropReason.STALLED,
            "nothing came for 60 s in the middle of a request; %s of it are here"
                .formatted(Bytes.of(connection.scanner.held())));
      }
    }
  }

  /** Called under the lock by whichever thread answers a connection of this one. */
  void answered(Connection connection) {
    if (!connection.listed) {
      connection.listed = true;
      answered.add(connection);
      IoLoop current = server.executing();
      if (current != this && !current.toWake.contains(this)) {
        current.toWake.add(this);
      }
    }
  }

  private final ArrayList<Connection> batch = new ArrayList<>();
  private int[] batchLengths = new int[64];

  /** Under the lock: copies small answers to the send buffer, takes large ones over. */
  private void handOverAnswers() {
    batch.clear();
    int at = 0;
    for (int i = 0; i < answered.size(); i++) {
      Connection connection = answered.get(i);
      connection.listed = false;
      int length = connection.answersLength();
      boolean direct = connection.unsent.isEmpty() && at + length <= SEND_BYTES;
      if (direct) {
        MemorySegment.copy(connection.answers(), 0, sendBuffer, ValueLayout.JAVA_BYTE, at, length);
        at += length;
      } else {
        connection.spill(server.now());
      }
      connection.answersTaken();
      if (batch.size() == batchLengths.length) {
        batchLengths = Arrays.copyOf(batchLengths, batchLengths.length * 2);
      }
      batchLengths[batch.size()] = direct ? length : -1;
      batch.add(connection);
    }
    answered.clear();
  }

  private void afterExecution() {
    int at = 0;
    for (int i = 0; i < batch.size(); i++) {
      Connection connection = batch.get(i);
      int length = batchLengths[i];
      if (!connection.open) {
        at += Math.max(0, length);
      } else if (length < 0) {
        sendUnsent(connection);
      } else {
        send(connection, at, length);
        at += length;
      }
    }
    batch.clear();
    if (!toWake.isEmpty()) {
      for (IoLoop loop : toWake) {
        loop.hand(loop::flushAnswered);
      }
      toWake.clear();
    }
  }

  /** Sends what other threads answered connections of this one. */
  private void flushAnswered() {
    server.lock(this);
    try {
      handOverAnswers();
    } finally {
      server.unlock();
    }
    afterExecution();
  }

  private void send(Connection connection, int from, int length) {
    int sent = poller.send(connection.descriptor, sendBuffer.asSlice(from, length), length);
    if (sent == length) {
      return;
    }
    if (sent < 0 && sent != Poller.AGAIN) {
      fail(connection, sent);
      return;
    }
    int done = Math.max(0, sent);
    int rest = length - done;
    connection.unsent.append(sendBuffer, (long) from + done, rest, server.now());
    watch(connection);
    account(connection);
  }

  /**
   * Sends what a turn is for; what is left goes when the others have had theirs. Returns whether
   * there is more, and the socket would have taken it.
   */
  private boolean sendUnsent(Connection connection) {
    Backlog unsent = connection.unsent;
    boolean takes = true;
    for (int i = 0; i < SENDS && takes && !unsent.isEmpty(); i++) {
      int length = unsent.copyTo(largeBuffer, SEND_BYTES);
      int sent = poller.send(connection.descriptor, largeBuffer, length);
      if (sent < 0 && sent != Poller.AGAIN) {
        fail(connection, sent);
        return false;
      }
      unsent.sent(Math.max(0, sent));
      takes = sent == length;
    }
    if (unsent.size() > server.limits().backlog()) {
      close(connection, DropReason.UNREAD, "it does not read its answers");
      return false;
    }
    queue(connection);
    watch(connection);
    account(connection);
    return takes && !unsent.isEmpty();
  }

  private void fail(Connection connection, int error) {
    if (gone(error)) {
      close(connection);
    } else {
      close(connection, DropReason.ERROR, "error " + -error);
    }
  }

  /** A peer that went without reading its answers: a rank that was killed, nothing to tell. */
  private static boolean gone(int error) {
    return error == RESET || error == BROKEN_PIPE;
  }

  /** Has epoll tell of what can be done for it now. */
  private void watch(Connection connection) {
    boolean blocked = connection.waitsForTurn && !connection.queued;
    int interest = (blocked ? 0 : Poller.READ) | (connection.unsent.isEmpty() ? 0 : Poller.WRITE);
    if (interest != connection.interest) {
      connection.interest = interest;
      poller.modify(connection.descriptor, interest, connection.token);
    }
  }

  private void close(Connection connection, DropReason reason, String why) {
    if (connection.open) {
      server.dropped(connection, reason, why);
      if (connection.known) {
        server.remember(glance(connection), reason, why);
      }
      close(connection);
    }
  }

  /** Ends a connection there is nothing to tell of. */
  private void close(Connection connection) {
    if (!connection.open) {
      return;
    }
    connection.open = false;
    server.lock(this);
    try {
      server.keyspace().forget(connection);
    } finally {
      server.unlock();
    }
    slots.remove(connection);
    unfinished.remove(connection);
    server.buffers().release(connection);
    server.left(connection);
    poller.closeSocket(connection.descriptor);
  }

  private Glance glance(Connection connection) {
    server.lock(this);
    try {
      return Glance.of(connection);
    } finally {
      server.unlock();
    }
  }

  /**
   * What can be seen of this thread's connections; asked on the thread itself. The lock is held for
   * a few hundred of them at a time, and nothing is made into words here.
   */
  List<Glance> glances() {
    List<Connection> all = slots.all();
    List<Glance> glances = new ArrayList<>(all.size());
    for (int from = 0; from < all.size(); from += GLANCES_AT_ONCE) {
      server.lock(this);
      try {
        for (Connection connection :
            all.subList(from, Math.min(all.size(), from + GLANCES_AT_ONCE))) {
          glances.add(Glance.of(connection));
        }
      } finally {
        server.unlock();
      }
    }
    return glances;
  }

  void stop() {
    stopping = true;
    hand(() -> {});
  }

  /** Gives back everything the thread holds; it has ended, or was never started. */
  void closeAll() {
    for (Connection connection : slots.all()) {
      close(connection);
    }
    if (listener >= 0) {
      poller.closeSocket(listener);
    }
    poller.close();
  }
}
