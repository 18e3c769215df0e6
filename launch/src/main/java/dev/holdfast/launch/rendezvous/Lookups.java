package dev.holdfast.launch.rendezvous;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * May an address be dialled now, and where is it? One that could not be reached waits longer each
 * time; names are looked up where nobody has to wait for it.
 */
final class Lookups {
  private static final int MOST_LINES = 16;
  private static final long FIRST_BACK_OFF = 200;
  private static final long MOST_BACK_OFF = 3_000;

  /** When an address may be dialled again, and how long to wait after the next failure. */
  private record BackOff(long until, long next) {}

  /**
   * What came of one.
   *
   * @param target null: there is no such host
   * @param lines what is to be said there
   */
  record Found(String address, @Nullable InetSocketAddress target, List<byte[]> lines) {}

  private record Answer(String address, @Nullable InetSocketAddress target) {}

  private final LongSupplier clock;
  private final Runnable wakeUp;
  private final Map<String, BackOff> backOffs = new HashMap<>();
  private final Map<String, List<byte[]>> waiting = new HashMap<>();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();

  /**
   * @param clock milliseconds
   * @param wakeUp called on another thread when {@link #next} has something
   */
  Lookups(LongSupplier clock, Runnable wakeUp) {
    this.clock = clock;
    this.wakeUp = wakeUp;
  }

  /** Looks the address up to say this there; forgets it where it is too early to try again. */
  void ask(String address, byte[] line) {
    List<byte[]> lines = waiting.get(address);
    if (lines != null) {
      if (lines.size() < MOST_LINES) {
        lines.add(line);
      }
      return;
    }
    BackOff backOff = backOffs.get(address);
    int colon = address.lastIndexOf(':');
    if ((backOff != null && clock.getAsLong() < backOff.until()) || colon <= 0) {
      return;
    }
    List<byte[]> first = new ArrayList<>();
    first.add(line);
    waiting.put(address, first);
    String host = address.substring(0, colon);
    int port = Integer.parseInt(address, colon + 1, address.length(), 10);
    Thread.ofVirtual()
        .start(
            () -> {
              answers.add(new Answer(address, resolve(host, port)));
              wakeUp.run();
            });
  }

  private static @Nullable InetSocketAddress resolve(String host, int port) {
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /** One that was looked up since, null: none. */
  @Nullable Found next() {
    Answer answer = answers.poll();
    if (answer == null) {
      return null;
    }
    List<byte[]> lines = waiting.remove(answer.address());
    return new Found(answer.address(), answer.target(), lines == null ? List.of() : lines);
  }

  void failed(String address) {
    BackOff before = backOffs.get(address);
    long wait = before == null ? FIRST_BACK_OFF : before.next();
    backOffs.put(address, new BackOff(clock.getAsLong() + wait, Math.min(wait * 2, MOST_BACK_OFF)));
  }

  void reached(String address) {
    backOffs.remove(address);
  }
}
