package dev.holdfast.control.api.gate;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;

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

  private final SocketChannel channel;
  private final SocketAddress remote;
  private final String address;
  private volatile Doing doing = Doing.HEAD;
  private volatile long since;
  private volatile long came;
  private volatile String token = "";

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
