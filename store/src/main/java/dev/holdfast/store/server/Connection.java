package dev.holdfast.store.server;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.os.net.Poller;
import dev.holdfast.store.keys.Client;
import dev.holdfast.store.keys.Keyspace;
import dev.holdfast.store.protocol.Dialect;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Limits;
import dev.holdfast.store.protocol.Numbers;
import dev.holdfast.store.protocol.Operation;
import dev.holdfast.store.protocol.RankKey;
import dev.holdfast.store.protocol.Scanner;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One peer: what it has sent of an unfinished request, what it has not yet been sent, and what is
 * known of it. Answers are written under the lock of the store; everything else belongs to the
 * thread that owns the connection.
 */
final class Connection extends Client {
  private static final byte[] EMPTY = new byte[0];
  private static final int FIRST_ANSWERS = 64;

  /** A value of so many bytes is lent to the answer, not copied. */
  private static final int LARGE = 16 << 10;

  final IoLoop loop;
  final int descriptor;
  final long token;
  final byte[] peer;
  final int peerPort;
  final long sinceNanos;
  final Scanner scanner;
  private final int mostUnread;

  /** Answers not yet handed to the owner; under the lock. */
  private byte[] answers = EMPTY;

  private int answersLength;

  /** Bytes ever written as answers; under the lock. */
  long copied;

  /** Whether it is in somebody's list of connections with answers; under the lock. */
  boolean listed;

  /** Bytes the socket would not take; the owner's alone. */
  final Backlog unsent;

  /** What epoll is to tell of; the owner's alone. */
  int interest = Poller.READ;

  /** Whether it has sent requests that wait for its turn; the owner's alone. */
  boolean waitsForTurn;

  /** Whether it stands in line for its turn; the owner's alone. */
  boolean queued;

  volatile boolean open = true;

  long requests;
  long lastNanos;
  int process;
  Operation last = Operation.VALIDATE;

  /** Whether it has greeted and those who count places know; the owner's alone. */
  boolean known;

  /** Whether it is in the list of those with an unfinished request; the owner's alone. */
  boolean listedUnfinished;

  /** When its unfinished request began; the owner's alone. */
  long unfinishedNanos;

  /** What it counts for among the buffers of all, without what it was lent. */
  long counted;

  /** All it holds, and since when the oldest of it; written by the owner, read by anybody. */
  volatile long holds;

  volatile long holdsSinceNanos;

  /** Chosen to be closed for what it holds; under the monitor of the buffers. */
  boolean chosen;

  /** The rank its own keys say it is: {@link #NO_RANK}, or {@link #SEVERAL} where they differ. */
  private int rank = NO_RANK;

  private static final int NO_RANK = -1;
  private static final int SEVERAL = -2;

  Connection(
      IoLoop loop,
      int descriptor,
      long token,
      byte[] peer,
      int peerPort,
      long sinceNanos,
      Limits limits,
      Dialect legacy,
      Buffers buffers) {
    this.loop = loop;
    this.descriptor = descriptor;
    this.token = token;
    this.peer = peer;
    this.peerPort = peerPort;
    this.sinceNanos = sinceNanos;
    this.lastNanos = sinceNanos;
    this.scanner = new Scanner(limits, legacy);
    this.unsent = new Backlog(buffers);
    this.mostUnread = limits.backlog();
  }

  @Override
  protected void answer(int value) {
    int at = room(1);
    answers[at] = (byte) value;
  }

  @Override
  protected void answerNumber(long value) {
    int at = room(8);
    Numbers.write64(answers, at, value);
  }

  /**
   * Only what the client itself asks for is answered in bytes, on its own thread; so it is the one
   * that is closed when the answers grow too large, before they are built.
   */
  @Override
  protected void answerBytes(byte[] value, int length) {
    if (unsent.size() + answersLength + 8 + length > mostUnread) {
      throw new Keyspace.Impossible(
          DropReason.UNREAD,
          "it does not read its answers, or asks for more than "
              + Bytes.of(mostUnread)
              + " of them at once");
    }
    boolean large = length >= LARGE;
    int at = room(large ? 8 : 8 + length);
    Numbers.write64(answers, at, length);
    if (large) {
      spill(lastNanos);
      unsent.lend(value, length, lastNanos);
    } else {
      System.arraycopy(value, 0, answers, at + 8, length);
      if (answersLength >= LARGE) {
        spill(lastNanos);
      }
    }
  }

  /** Moves its answers behind those the socket has not taken. */
  void spill(long now) {
    unsent.append(MemorySegment.ofArray(answers), 0, answersLength, now);
    answersTaken();
  }

  @Override
  protected void pinged(int nonce) {
    process = nonce;
    int at = room(4);
    answers[at] = (byte) nonce;
    answers[at + 1] = (byte) (nonce >> 8);
    answers[at + 2] = (byte) (nonce >> 16);
    answers[at + 3] = (byte) (nonce >> 24);
  }

  private int room(int bytes) {
    int at = answersLength;
    int needed = Math.addExact(at, bytes);
    if (needed > answers.length) {
      int size = Math.max(needed, Math.max(FIRST_ANSWERS, answers.length * 2));
      answers = Arrays.copyOf(answers, size);
    }
    answersLength = needed;
    copied += bytes;
    loop.answered(this);
    return at;
  }

  /** Learns from a key it sets which rank it is, where the key is certain. */
  void wrote(byte[] bytes, int start) {
    int from = start + 9;
    int seen = RankKey.rank(bytes, from, from + (int) Numbers.read64(bytes, start + 1));
    if (seen >= 0) {
      rank = rank == NO_RANK || rank == seen ? seen : SEVERAL;
    }
  }

  int rank() {
    return rank;
  }

  /** Bytes it makes the store hold beside values it was lent: a request, answers. */
  long buffered() {
    return unsent.chunks() + scanner.held();
  }

  /** Since when the oldest of what it holds is there. */
  long oldestNanos() {
    if (unsent.isEmpty()) {
      return unfinishedNanos;
    }
    long unread = unsent.sinceNanos();
    return scanner.held() > 0 && unfinishedNanos - unread < 0 ? unfinishedNanos : unread;
  }

  int answersLength() {
    return answersLength;
  }

  byte[] answers() {
    return answers;
  }

  /** The answers have been copied or taken; a large array is not kept for an idle connection. */
  void answersTaken() {
    answersLength = 0;
    if (answers.length > 4096) {
      answers = EMPTY;
    }
  }
}
