package dev.holdfast.control.api.gate;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection: what it is waited for, since when, and under whose token it came. */
final class Guest {
  /** What a connection is doing. */
  enum Doing {
    /** The rest of a refused request is read and thrown away, for a moment. */
    LINGER,
    /** The head of a request is awaited. */
    HEAD,
    /** The body of a request is awaited. */
    BODY,
    /** The request is being answered. */
    ANSWER
  }

  private static final Duration LINGER = Duration.ofSeconds(2);

  /** So long a stranger who has just come, or has just been answered, is not called waiting. */
  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The same for an answer that is being made, or gets on. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** An answer is read at least so fast, or it is behind. */
  private static final long BYTES_A_SECOND = 1 << 20;

  private final SocketChannel channel;
  private final SocketAddress remote;
  private final String address;
  private volatile Doing doing = Doing.HEAD;
  private volatile long since;
  private volatile long came;
  private volatile String token = "";
  private volatile @Nullable Share share;
  private volatile long sending;
  private volatile long sent;

  Guest(SocketChannel channel, SocketAddress remote, String address, long now) {
    this.channel = channel;
    this.remote = remote;
    this.address = address;
    this.since = now;
  }

  SocketAddress remote() {
    return remote;
  }

  /** The address that counts; whoever has a /64 of IPv6 counts once. */
  String address() {
    return address;
  }

  /** Whose token it has shown; empty: a stranger's connection. */
  String token() {
    return token;
  }

  void shown(String name) {
    token = name;
  }

  Doing doing() {
    return doing;
  }

  long since() {
    return since;
  }

  void begin(Doing now, long nanos) {
    since = nanos;
    came = 0;
    doing = now;
  }

  /** Bytes of the body came. */
  void came(long bytes) {
    came += bytes;
  }

  /** The answer goes on. */
  void progress(long nanos) {
    since = nanos;
  }

  /** An answer is about to be sent; null: it is out. */
  void sends(@Nullable Share taken, long nanos) {
    sending = nanos;
    sent = 0;
    since = nanos;
    share = taken;
  }

  /** The room its answer takes while it is sent. */
  long room() {
    Share taken = share;
    return taken == null ? 0 : taken.room();
  }

  /** Whoever is sent away takes no room any more. */
  void giveBack() {
    Share taken = share;
    if (taken != null) {
      taken.giveBack();
    }
  }

  void sent(long bytes, long nanos) {
    sent += bytes;
    since = nanos;
  }

  /** By how much the reading of its answer is behind, in nanoseconds. */
  long behind(long nanos) {
    return nanos - sending - sent * TimeUnit.SECONDS.toNanos(1) / BYTES_A_SECOND;
  }

  boolean late(long nanos, GateLimits limits) {
    Duration patience =
        switch (doing) {
          case LINGER -> LINGER;
          case HEAD -> token.isEmpty() ? limits.head() : limits.idle();
          case BODY -> limits.body().plusSeconds(came / GateLimits.BYTES_A_SECOND);
          case ANSWER -> limits.answer();
        };
    return nanos - since > patience.toNanos();
  }

  /**
   * Who leaves when there are too many: of strangers whoever keeps us waiting, with half a head,
   * half a body or an answer he does not read, and then the oldest. A known one has earned the rest
   * of his request.
   */
  int worth(long nanos) {
    if (token.isEmpty()) {
      long patience = doing == Doing.ANSWER ? STUCK_NANOS : FRESH_NANOS;
      return nanos - since > patience ? 0 : 1;
    }
    return doing.ordinal();
  }

  boolean gone() {
    return !channel.isOpen();
  }

  void sendAway() {
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      // there is nothing left to close
    }
  }
}
