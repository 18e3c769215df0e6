package dev.holdfast.store.attempts;

import dev.holdfast.store.attempts.StoreRefused.Reason;
import dev.holdfast.store.ledger.JobEntry;
import dev.holdfast.store.ledger.Ledger;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.server.AccessList;
import dev.holdfast.store.server.Shared;
import dev.holdfast.store.server.StoreOptions;
import dev.holdfast.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store for each attempt of a job and ends it. Every attempt has a port, threads and keys
 * of its own, so nothing of an ended one can be met by the next. What is given out is written down
 * before it is, and whoever acts must have the newest term of the job.
 *
 * <p>One request at a time; a store that ends is waited for outside, so that leases can be renewed
 * meanwhile.
 */
public final class Attempts implements AutoCloseable {
  private static final int MOST_OPEN = 256;

  private record Key(String job, int attempt) {}

  private final Ledger ledger;
  private final Leases leases;
  private final PortRange range;
  private final StoreOptions options;
  private final Shared shared;
  private final Map<Key, Attempt> open = new LinkedHashMap<>();

  /** Those that are ending: whoever closes one again waits for the same end. */
  private final Map<Key, Attempt> ending = new LinkedHashMap<>();

  private boolean closed;

  /**
   * @param options the address, threads and limits of every attempt's store
   */
  public Attempts(
      Ledger ledger, PortRange range, StoreOptions options, Shared shared, LongSupplier nanos) {
    this.ledger = ledger;
    this.leases = new Leases(ledger, nanos);
    this.range = range;
    this.options = options;
    this.shared = shared;
  }

  public PortRange range() {
    return range;
  }

  /** Opens the store of a new attempt; one that is open already, for the same term, stays. */
  public Attempt open(OpenOrder order) throws IOException {
    // Outside the lock: names are looked up here, which can take its time.
    AccessList access = access(order);
    synchronized (this) {
      leases.requireNewest(order.job(), order.term());
      Key key = new Key(order.job(), order.attempt());
      Attempt known = open.get(key);
      if (known != null) {
        known.names().tell(order.ranks());
        return known;
      }
      int newest = ledger.job(order.job()).map(JobEntry::attempt).orElse(-1);
      if (order.attempt() <= newest) {
        throw new StoreRefused(
            Reason.OLD_ATTEMPT,
            "attempt %d of %s is not new: there was an attempt %d"
                .formatted(order.attempt(), order.job(), newest));
      }
      if (closed || open.size() >= MOST_OPEN) {
        throw new StoreRefused(Reason.NO_ROOM, MOST_OPEN + " attempts are open; close some");
      }
      Attempt fresh = serve(order, access);
      open.put(key, fresh);
      ledger.keep(order.job(), true);
      fresh.server().failure().thenAccept(defect -> ended(key, defect));
      return fresh;
    }
  }

  private static AccessList access(OpenOrder order) throws StoreRefused {
    try {
      return order.allowed().contains("all")
          ? AccessList.everybody()
          : AccessList.of(order.allowed());
    } catch (IllegalArgumentException wrong) {
      throw new StoreRefused(Reason.REQUEST, "allowed: " + wrong.getMessage());
    }
  }

  /** Takes the next port nobody has and the job has not had, then any nobody has. */
  private Attempt serve(OpenOrder order, AccessList access) throws IOException {
    @Nullable IOException taken = null;
    for (boolean again : new boolean[] {false, true}) {
      for (int i = 0; i < range.size(); i++) {
        int port = range.at(ledger.opened() + i);
        boolean had = ledger.job(order.job()).map(job -> job.ports().contains(port)).orElse(false);
        if (had && !again) {
          continue;
        }
        StoreServer server;
        try {
          server = start(order, access, port);
        } catch (IOException notFree) {
          taken = notFree;
          continue;
        }
        try {
          if (had) {
            ledger.forgetPorts(order.job());
          }
          ledger.open(order.job(), order.attempt(), port, i + 1);
        } catch (IOException notWritten) {
          server.close();
          throw new StoreRefused(
              Reason.STATE, "it cannot be written down: " + notWritten.getMessage());
        }
        return Attempt.of(order, access.toString(), server);
      }
    }
    throw new StoreRefused(
        Reason.NO_ROOM,
        "no port of " + range + " is free" + (taken == null ? "" : ": " + taken.getMessage()));
  }

  private StoreServer start(OpenOrder order, AccessList access, int port) throws IOException {
    InetAddress where = options.address().getAddress();
    return StoreServer.start(
        options.at(new InetSocketAddress(where, port), access),
        shared,
        "%s attempt %d: ".formatted(order.job(), order.attempt()));
  }

  /** A defect has ended the store of an attempt: it is not open any more, the others are. */
  private void ended(Key key, Throwable defect) {
    synchronized (this) {
      Attempt gone = open.remove(key);
      if (gone != null) {
        shared
            .notices()
            .tell("defect", () -> key.job() + " attempt " + key.attempt() + " ended: " + defect);
      }
    }
  }

  /** Ends the store of an attempt; returns when its port is closed. One that is ended stays so. */
  public void close(String job, int attempt, long term) throws StoreRefused {
    Key key = new Key(job, attempt);
    Attempt gone;
    synchronized (this) {
      leases.requireNewest(job, term);
      gone = open.remove(key);
      if (gone == null) {
        gone = ending.get(key);
      } else {
        ending.put(key, gone);
        ledger.keep(job, open.keySet().stream().anyMatch(other -> other.job().equals(job)));
      }
      if (gone == null && ledger.job(job).map(JobEntry::attempt).orElse(-1) < attempt) {
        throw new StoreRefused(
            Reason.NOT_OPEN, "there was no attempt %d of %s".formatted(attempt, job));
      }
    }
    if (gone != null) {
      gone.server().close();
      synchronized (this) {
        ending.remove(key);
      }
    }
  }

  /** Tells which ranks the processes of an open attempt are. */
  public synchronized void name(String job, int attempt, List<RankName> names) throws StoreRefused {
    find(job, attempt)
        .orElseThrow(
            () ->
                new StoreRefused(
                    Reason.NOT_OPEN, "attempt %d of %s is not open".formatted(attempt, job)))
        .names()
        .tell(names);
  }

  public synchronized Optional<Attempt> find(String job, int attempt) {
    return Optional.ofNullable(open.get(new Key(job, attempt)));
  }

  /** All that are open. */
  public synchronized List<Attempt> open() {
    return List.copyOf(open.values());
  }

  public synchronized Lease claim(String job, String holder, long wanted, int seconds)
      throws IOException {
    return leases.claim(job, holder, wanted, seconds);
  }

  public synchronized Lease renew(String job, String holder, long term, int seconds)
      throws StoreRefused {
    return leases.renew(job, holder, term, seconds);
  }

  public synchronized void release(String job, String holder, long term) throws IOException {
    leases.release(job, holder, term);
  }

  /** What is remembered of a job, and who leads it now. */
  public record Known(JobEntry entry, Lease lease, List<Attempt> open) {}

  public synchronized List<Known> jobs() {
    List<Known> known = new ArrayList<>();
    for (JobEntry entry : ledger.jobs()) {
      known.add(
          new Known(
              entry,
              leases.lease(entry.job(), false),
              open.values().stream().filter(one -> one.job().equals(entry.job())).toList()));
    }
    return known;
  }

  /** Ends all. */
  @Override
  public void close() throws IOException {
    List<Attempt> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open.values());
      open.clear();
    }
    all.parallelStream().forEach(one -> one.server().close());
    ledger.close();
  }
}
