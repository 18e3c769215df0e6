package dev.holdfast.launch.rendezvous;

import dev.holdfast.store.attempts.Lease;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.manage.StoreClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** A managed store as the arbiter of a job; the client's deadline bounds every question. */
public final class StoreArbiter implements Arbiter, AutoCloseable {
  private final StoreClient client;
  private final String job;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("arbiter").factory());

  public StoreArbiter(StoreClient client, String job) {
    this.client = client;
    this.job = job;
  }

  private interface Question {
    Lease ask() throws IOException;
  }

  @Override
  public CompletableFuture<Grant> claim(String holder, long wanted, Duration lease) {
    return askOnce(() -> client.claim(job, holder, wanted, lease));
  }

  @Override
  public CompletableFuture<Grant> renew(String holder, long term, Duration lease) {
    return askOnce(() -> client.renew(job, holder, term, lease));
  }

  @Override
  public CompletableFuture<Void> release(String holder, long term) {
    return ask(() -> {
          client.release(job, holder, term);
          return new Lease(false, term, "", Duration.ZERO);
        })
        .thenApply(_ -> null);
  }

  /** Not while an earlier question waits: what is asked a second later is worth more. */
  private CompletableFuture<Grant> askOnce(Question question) {
    return busy.compareAndSet(false, true)
        ? ask(question).whenComplete((_, _) -> busy.set(false))
        : CompletableFuture.failedFuture(new IOException("the arbiter has not answered yet"));
  }

  private CompletableFuture<Grant> ask(Question question) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            Lease lease = question.ask();
            return new Grant(lease.granted(), lease.term(), lease.holder());
          } catch (StoreRefused _) {
            return new Grant(false, 0, "");
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        asking);
  }

  @Override
  public void close() {
    asking.shutdownNow();
    client.close();
  }
}
