package dev.holdfast.control.api.gate;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.api.gate.Guest.Doing;
import dev.holdfast.core.text.MetricsText;
import dev.holdfast.os.process.Heartbeats;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps those who send nothing, half a request or a large one from costing those who ask anything.
 *
 * <p>Everybody who connects is let in; when an address, a token or the process has too many
 * connections, the oldest that waits for nothing leaves. What takes too long is closed by one
 * thread that looks twice a second. Bodies share one budget; when it is spent, the body that has
 * been arriving the longest is given up. Answers share another; when it is spent, whoever reads the
 * slowest is cut off.
 */
public final class Gate implements AutoCloseable {
  private static final long LOOK_MILLIS = 500;
  private static final Duration STUCK = Duration.ofSeconds(30);

  /** So often, and each time for so long, the room of who was sent away is awaited. */
  private static final int ROOM_TRIES = 10;

  private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** The same for answers, whose readers get a moment before they are called slow. */
  private static final int ANSWER_TRIES = 25;

  private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** What is smaller the kernel takes, mostly; it is counted and not refused. */
  private static final int SMALL = 16 * 1024;

  /** While an answer is sent, what it was made of may still be there. */
  private static final int ROOM_OF_BYTE = 3;

  /** A process that was stopped for longer owes its guests that time. */
  private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final GateLimits limits;
  private final LongSupplier nanos;
  private final AtomicLong lag = new AtomicLong();
  private final ConcurrentMap<SocketAddress, Guest> guests = new ConcurrentHashMap<>();
  private final Object lock = new Object();
  private final Map<String, Crowd> ofAddress = new HashMap<>();
  private final Map<String, Crowd> ofToken = new HashMap<>();
  private final Crowd strangers;
  private final AtomicLong bodies = new AtomicLong();
  private final AtomicLong answers = new AtomicLong();
  private final Turns turns;
  private final AtomicLong admitted = new AtomicLong();
  private final AtomicLong crowded = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong refusedBodies = new AtomicLong();
  private final AtomicLong refusedAnswers = new AtomicLong();
  private final AtomicLong cutOff = new AtomicLong();
  private final ScheduledExecutorService looking =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gate").daemon().factory());
  private long looked;
  private Runnable atEnd = () -> {};

  public Gate(GateLimits limits) {
    this(limits, System::nanoTime);
  }

  Gate(GateLimits limits, LongSupplier nanos) {
    this.limits = limits;
    this.nanos = nanos;
    this.strangers = new Crowd(limits.strangers());
    this.turns = new Turns(limits.turns(), limits.turnsOfOne(), limits.turn().toNanos());
    this.looked = nanos.getAsLong();
  }

  /**
   * @param heartbeats the threads of this process that must live
   */
  public void start(Heartbeats heartbeats) {
    Heartbeats.Beat beat = heartbeats.expect("closing slow connections", STUCK);
    atEnd = () -> heartbeats.release(beat);
    looking.scheduleWithFixedDelay(
        () -> {
          beat.beat();
          look();
        },
        LOOK_MILLIS,
        LOOK_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  /** Somebody connected. */
  void arrived(SocketChannel channel) throws IOException {
    SocketAddress remote = channel.getRemoteAddress();
    Guest guest = new Guest(channel, remote, address(remote), now());
    List<Guest> leaving = new ArrayList<>();
    admitted.incrementAndGet();
    synchronized (lock) {
      Crowd same =
          ofAddress.computeIfAbsent(guest.address(), _ -> new Crowd(limits.strangersOfAddress()));
      same.add(guest);
      strangers.add(guest);
      Guest before = guests.put(remote, guest);
      if (before != null) {
        forget(before);
      }
      same.surplus(guest, now()).ifPresent(leaving::add);
      strangers.surplus(guest, now()).ifPresent(leaving::add);
      if (guests.size() > limits.connections()) {
        leaving.add(strangers.leaving(guest, now()).orElse(guest));
      }
      leaving.forEach(this::forget);
    }
    sendAway(leaving);
  }

  private void sendAway(List<Guest> leaving) {
    crowded.addAndGet(leaving.size());
    leaving.forEach(Guest::sendAway);
  }

  private void forget(Guest guest) {
    guests.remove(guest.remote(), guest);
    guest.giveBack();
    strangers.remove(guest);
    leave(ofAddress, guest.address(), guest);
    leave(ofToken, guest.token(), guest);
  }

  private static void leave(Map<String, Crowd> crowds, String name, Guest guest) {
    Crowd crowd = crowds.get(name);
    if (crowd != null) {
      crowd.remove(guest);
      if (crowd.empty()) {
        crowds.remove(name);
      }
    }
  }

  /** A valid token was shown on a connection. */
  public void known(SocketAddress remote, Caller caller) {
    String token = caller.name();
    Guest guest = guest(remote);
    if (guest == null || guest.token().equals(token)) {
      return;
    }
    Optional<Guest> leaving;
    synchronized (lock) {
      if (guests.get(remote) != guest) {
        return;
      }
      strangers.remove(guest);
      leave(ofAddress, guest.address(), guest);
      leave(ofToken, guest.token(), guest);
      guest.shown(token);
      Crowd same = ofToken.computeIfAbsent(token, _ -> new Crowd(most(caller)));
      same.add(guest);
      leaving = same.surplus(guest, now());
      leaving.ifPresent(this::forget);
    }
    sendAway(leaving.stream().toList());
  }

  /** One agent needs few; who speaks for every source is a whole cluster, that of a demo. */
  private int most(Caller caller) {
    return caller.source().equals("*")
        ? limits.connections()
        : caller.role() == Role.AGENT ? limits.ofToken() : limits.ofPerson();
  }

  /** A request's head is there. */
  void answering(SocketAddress remote) {
    begin(remote, Doing.ANSWER);
  }

  /** The answer is out. */
  void answered(SocketAddress remote) {
    begin(remote, Doing.HEAD);
  }

  /** What still comes of a refused request is not wanted. */
  void lingering(SocketAddress remote) {
    begin(remote, Doing.LINGER);
  }

  /** Null: not known any more; whoever was sent away has no address either. */
  private @Nullable Guest guest(@Nullable SocketAddress remote) {
    return remote == null ? null : guests.get(remote);
  }

  private void begin(SocketAddress remote, Doing doing) {
    Guest guest = guest(remote);
    if (guest != null) {
      guest.begin(doing, now());
    }
  }

  /** An answer that takes its time has got on. */
  public void progress(SocketAddress remote) {
    Guest guest = guest(remote);
    if (guest != null) {
      guest.progress(now());
    }
  }

  /** The room for one body, to be given back by closing it. */
  Room room(SocketAddress remote) {
    begin(remote, Doing.BODY);
    return new Room(this, remote);
  }

  /**
   * Takes some of the budget of bodies. When it is spent, the slowest body is given up, and its
   * room is awaited for a moment; false: nothing came free.
   */
  boolean take(SocketAddress remote, int bytes) {
    Guest guest = guest(remote);
    if (guest != null) {
      guest.came(bytes);
    }
    for (int tries = 0; tries < ROOM_TRIES; tries++) {
      if (bodies.addAndGet(bytes) <= limits.bodies()) {
        return true;
      }
      bodies.addAndGet(-bytes);
      guests.values().stream()
          .filter(it -> it.doing() == Doing.BODY && it != guest && !it.gone())
          .min(Comparator.comparingLong(Guest::since))
          .ifPresent(it -> sendAway(List.of(it)));
      LockSupport.parkNanos(ROOM_NANOS);
    }
    refusedBodies.incrementAndGet();
    return false;
  }

  void giveBack(long bytes) {
    bodies.addAndGet(-bytes);
  }

  /** Who makes his answer when. */
  public Turns turns() {
    return turns;
  }

  /**
   * Takes room for an answer, which is given back with {@link #out}. When there is none, those
   * whose reading is furthest behind are cut off.
   *
   * @return the room; empty: nothing came free
   */
  Optional<Share> roomForAnswer(SocketAddress remote, long bytes) {
    long room = Math.clamp(bytes * ROOM_OF_BYTE, 1, limits.answers());
    Guest guest = guest(remote);
    for (int tries = 0; tries < ANSWER_TRIES; tries++) {
      long held = answers.get();
      long over = held + room - limits.answers();
      if (over <= 0 || bytes <= SMALL) {
        if (!answers.compareAndSet(held, held + room)) {
          tries--; // another was quicker
          continue;
        }
        Share share = new Share(answers, room);
        if (guest != null) {
          guest.sends(share, now());
        }
        return Optional.of(share);
      }
      cutOff(over);
      LockSupport.parkNanos(ROOM_NANOS);
    }
    refusedAnswers.incrementAndGet();
    return Optional.empty();
  }

  /** Cuts the slowest off whose answers take so much room together. */
  private void cutOff(long room) {
    long now = now();
    List<Guest> slow =
        guests.values().stream()
            .filter(it -> it.room() > 0 && !it.gone() && it.behind(now) > SLOW_NANOS)
            .sorted(Comparator.comparingLong((Guest it) -> it.behind(now)).reversed())
            .toList();
    long freed = 0;
    for (Guest guest : slow) {
      if (freed >= room) {
        return;
      }
      freed += guest.room();
      cutOff.incrementAndGet();
      guest.sendAway();
      guest.giveBack();
    }
  }

  /** Some of an answer was taken by whoever asked. */
  void sent(SocketAddress remote, long bytes) {
    Guest guest = guest(remote);
    if (guest != null) {
      guest.sent(bytes, now());
    }
  }

  /** An answer is out, or was given up. */
  void out(SocketAddress remote, Share share) {
    share.giveBack();
    Guest guest = guest(remote);
    if (guest != null) {
      guest.sends(null, now());
    }
  }

  void bodyIsThere(SocketAddress remote) {
    begin(remote, Doing.ANSWER);
  }

  /** Closes what takes too long and forgets who went. */
  void look() {
    long real = nanos.getAsLong();
    if (real - looked > GAP_NANOS) {
      lag.addAndGet(real - looked);
    }
    looked = real;
    long now = now();
    List<Guest> gone = new ArrayList<>();
    for (Guest guest : guests.values()) {
      if (guest.gone()) {
        gone.add(guest);
      } else if (guest.late(now, limits)) {
        late.incrementAndGet();
        guest.sendAway();
        gone.add(guest);
      }
    }
    synchronized (lock) {
      gone.forEach(this::forget);
    }
  }

  private long now() {
    return nanos.getAsLong() - lag.get();
  }

  long answerBytes() {
    return answers.get();
  }

  int connections() {
    return guests.size();
  }

  public void write(MetricsText text) {
    int unknown;
    synchronized (lock) {
      unknown = strangers.size();
    }
    text.one("holdfast_control_connections", "gauge", "Connections that are open.", guests.size());
    text.one(
        "holdfast_control_connections_without_token",
        "gauge",
        "Connections on which no valid token was shown.",
        unknown);
    text.one(
        "holdfast_control_connections_total",
        "counter",
        "Connections that were accepted.",
        admitted.get());
    text.one(
        "holdfast_control_connections_crowded_out_total",
        "counter",
        "Connections that were closed to make room for others.",
        crowded.get());
    text.one(
        "holdfast_control_connections_late_total",
        "counter",
        "Connections that were closed because a request or an answer took too long.",
        late.get());
    text.one(
        "holdfast_control_body_bytes",
        "gauge",
        "Memory of the request bodies in flight.",
        bodies.get());
    text.one(
        "holdfast_control_bodies_refused_total",
        "counter",
        "Requests that were refused because too many bodies were in flight.",
        refusedBodies.get());
    text.one(
        "holdfast_control_answer_bytes",
        "gauge",
        "Memory of the answers in flight.",
        answers.get());
    text.one(
        "holdfast_control_answers_refused_total",
        "counter",
        "Answers that were not given because too many were in flight.",
        refusedAnswers.get());
    text.one(
        "holdfast_control_answers_cut_off_total",
        "counter",
        "Answers that were given up because they were read the slowest when room was needed.",
        cutOff.get());
    turns.write(text);
  }

  /** The address that counts; whoever has a /64 of IPv6 counts once. */
  public static String address(@Nullable SocketAddress remote) {
    InetAddress address = remote instanceof InetSocketAddress it ? it.getAddress() : null;
    return switch (address) {
      case null -> String.valueOf(remote);
      case Inet6Address six -> HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), 8));
      default -> address.getHostAddress();
    };
  }

  @Override
  public void close() {
    looking.shutdownNow();
    atEnd.run();
  }
}
