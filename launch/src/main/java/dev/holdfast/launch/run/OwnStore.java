package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.rendezvous.StoreKeeper;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.manage.StoreClient;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.ranks.RankState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The store process of the job, on the leader's node: held by the supervisor, so that it outlives
 * this process; told by us to open a port for each attempt. Everything that waits happens on a
 * thread of its own, in order.
 */
final class OwnStore implements StoreKeeper, WaitsAtStore {
  static final String SERVICE = "store";

  private static final Duration START = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final int SHOWN_WAITS = 1_000_000;

  private final JobSpec spec;
  private final List<String> command;
  private final Consumer<Order> order;
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("asking the store").daemon().factory());
  private CompletableFuture<StoreClient> client = new CompletableFuture<>();
  private boolean started;
  private volatile int open = -1;
  private volatile boolean polling;
  private volatile Map<Integer, String> waits = Map.of();

  OwnStore(JobSpec spec, List<String> command, Consumer<Order> order) {
    this.spec = spec;
    this.command = command;
    this.order = order;
  }

  @Override
  public synchronized CompletableFuture<Place> open(int attempt, List<String> allowed) {
    CompletableFuture<StoreClient> ready = ready();
    return ready
        .orTimeout(START.toMillis(), TimeUnit.MILLISECONDS)
        .thenApplyAsync(
            manager -> {
              try {
                int port =
                    manager.open(new OpenOrder(spec.job(), attempt, 0, 0, allowed, List.of()));
                open = attempt;
                return new Place(OwnAddress.of(spec), port);
              } catch (IOException refused) {
                throw new CompletionException(refused);
              }
            },
            asking);
  }

  private synchronized CompletableFuture<StoreClient> ready() {
    if (!started) {
      started = true;
      client = new CompletableFuture<>();
      order.accept(new Order.StartService(SERVICE, command, Map.of()));
    }
    return client;
  }

  @Override
  public CompletableFuture<Void> close(int attempt) {
    waits = Map.of();
    if (open == attempt) {
      open = -1;
    }
    CompletableFuture<StoreClient> ready;
    synchronized (this) {
      if (!started) {
        return CompletableFuture.completedFuture(null);
      }
      ready = client;
    }
    return ready
        .orTimeout(START.toMillis(), TimeUnit.MILLISECONDS)
        .thenAcceptAsync(
            manager -> {
              try {
                manager.close(spec.job(), attempt, 0);
              } catch (IOException refused) {
                throw new CompletionException(refused);
              }
            },
            asking);
  }

  /** It runs already, started by an earlier process beside the supervisor. */
  synchronized void found(int attempt) {
    started = true;
    open = attempt;
  }

  /** The supervisor tells what the store's process wrote: first of all, where it can be asked. */
  synchronized void line(String text) {
    try {
      Fields fields = Fields.of("store", Json.object(text));
      client.complete(StoreClient.unix(Path.of(fields.text("socket")), ANSWER));
    } catch (IllegalArgumentException other) {
      // It says other things too.
    }
  }

  /** Its process is gone; the next attempt gets another one. */
  synchronized void ended() {
    started = false;
    open = -1;
    client.completeExceptionally(new IOException("the store's process ended"));
  }

  /** That rank is that process of this node. */
  void named(int attempt, int rank, long pid) {
    asking.execute(
        () -> {
          try {
            if (open == attempt && client.isDone() && !client.isCompletedExceptionally()) {
              client
                  .join()
                  .name(
                      spec.job(),
                      attempt,
                      List.of(new RankName(rank, spec.here().node(), "", pid)));
            }
          } catch (IOException | CompletionException unnamed) {
            // Then the ranks are told apart by their addresses.
          }
        });
  }

  /** What was known a moment ago; asks again for the next time. */
  @Override
  public Map<Integer, String> now(int attempt) {
    if (open != attempt) {
      return Map.of();
    }
    if (!polling) {
      polling = true;
      asking.execute(this::poll);
    }
    return waits;
  }

  private void poll() {
    Map<Integer, String> found = new HashMap<>();
    try {
      if (client.isDone() && !client.isCompletedExceptionally()) {
        for (RankState rank : client.join().ranks(spec.job(), open)) {
          if (!rank.waitsFor().isEmpty() && found.size() < SHOWN_WAITS) {
            found.put(rank.rank(), rank.waitsFor().getFirst());
          }
        }
      }
      waits = Map.copyOf(found);
    } catch (IOException | CompletionException silent) {
      waits = Map.of();
    } finally {
      polling = false;
    }
  }
}
