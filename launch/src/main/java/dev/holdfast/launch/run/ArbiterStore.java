package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.manage.StoreClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The stores of a job at its arbiter, so that they outlive any of the job's nodes. The arbiter
 * remembers which attempts there were: a number is never used twice, whatever the launchers forgot.
 */
final class ArbiterStore implements JobStore {
  private final JobSpec spec;
  private final StoreClient client;
  private final StoreEye eye;

  ArbiterStore(JobSpec spec, StoreClient client) {
    this.spec = spec;
    this.client = client;
    this.eye = new StoreEye(spec, () -> Optional.of(client));
  }

  @Override
  public CompletableFuture<Place> open(int attempt, long term, List<String> allowed) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            // One of that number may be open, of a leader that is gone: not to be met again.
            closeIfThere(attempt, term);
            int port = client.open(new OpenOrder(spec.job(), attempt, term, 0, allowed, List.of()));
            eye.opened(attempt);
            return new Place(spec.team().arbiter().orElseThrow().host(), port);
          } catch (StoreRefused refused) {
            boolean old = refused.reason() == StoreRefused.Reason.OLD_ATTEMPT;
            throw new CompletionException(
                old ? new OldAttempt(String.valueOf(refused.getMessage()), refused) : refused);
          } catch (IOException failed) {
            throw new CompletionException(failed);
          }
        },
        eye.asking);
  }

  private void closeIfThere(int attempt, long term) throws IOException {
    try {
      client.close(spec.job(), attempt, term);
    } catch (StoreRefused refused) {
      if (refused.reason() != StoreRefused.Reason.NOT_OPEN) {
        throw refused;
      }
    }
  }

  @Override
  public CompletableFuture<Void> close(int attempt, long term) {
    eye.closed(attempt);
    return CompletableFuture.runAsync(
        () -> {
          try {
            closeIfThere(attempt, term);
          } catch (IOException failed) {
            throw new CompletionException(failed);
          }
        },
        eye.asking);
  }

  @Override
  public void found(int attempt) {
    eye.opened(attempt);
  }

  @Override
  public void named(int attempt, int rank, long pid) {
    eye.named(attempt, rank, pid);
  }

  @Override
  public Map<Integer, String> now(int attempt) {
    return eye.now(attempt);
  }
}
