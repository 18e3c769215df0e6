package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.manage.StoreClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The store process of the job, on the leader's node: held by the supervisor, so that it outlives
 * this process; told by us to open a port for each attempt. Everything that waits happens on a
 * thread of its own, in order.
 */
final class OwnStore implements JobStore {
  static final String SERVICE = "store";

  private static final Duration START = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final JobSpec spec;
  private final List<String> command;
  private final Consumer<Order> order;
  private final StoreEye eye;
  private CompletableFuture<StoreClient> client = new CompletableFuture<>();
  private boolean started;

  OwnStore(JobSpec spec, List<String> command, Consumer<Order> order) {
    this.spec = spec;
    this.command = command;
    this.order = order;
    this.eye = new StoreEye(spec, this::present);
  }

  @Override
  public synchronized CompletableFuture<Place> open(int attempt, long term, List<String> allowed) {
    CompletableFuture<StoreClient> ready = ready();
    return ready
        .orTimeout(START.toMillis(), TimeUnit.MILLISECONDS)
        .thenApplyAsync(
            manager -> {
              try {
                int port =
                    manager.open(new OpenOrder(spec.job(), attempt, 0, 0, allowed, List.of()));
                eye.opened(attempt);
                return new Place(OwnAddress.of(spec), port);
              } catch (IOException refused) {
                throw new CompletionException(refused);
              }
            },
            eye.asking);
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
  public CompletableFuture<Void> close(int attempt, long term) {
    eye.closed(attempt);
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
            eye.asking);
  }

  /** It runs already, started by an earlier process beside the supervisor. */
  @Override
  public synchronized void found(int attempt) {
    started = true;
    eye.opened(attempt);
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
    eye.lost();
    client.completeExceptionally(new IOException("the store's process ended"));
  }

  @Override
  public void named(int attempt, int rank, long pid) {
    eye.named(attempt, rank, pid);
  }

  @Override
  public Map<Integer, String> now(int attempt) {
    return eye.now(attempt);
  }

  private synchronized Optional<StoreClient> present() {
    return client.isDone() && !client.isCompletedExceptionally()
        ? Optional.of(client.join())
        : Optional.empty();
  }
}
