package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.store.manage.StoreClient;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.ranks.RankState;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * What the store of the present attempt is told and asked about ranks. Everything that waits
 * happens on a thread of its own, in order.
 */
final class StoreEye implements WaitsAtStore {
  private static final int SHOWN_WAITS = 1_000_000;

  private final JobSpec spec;
  private final Supplier<Optional<StoreClient>> client;
  final ExecutorService asking =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("asking the store").daemon().factory());
  private volatile int open = -1;
  private volatile boolean polling;
  private volatile Map<Integer, String> waits = Map.of();

  StoreEye(JobSpec spec, Supplier<Optional<StoreClient>> client) {
    this.spec = spec;
    this.client = client;
  }

  void opened(int attempt) {
    open = attempt;
  }

  void closed(int attempt) {
    waits = Map.of();
    if (open == attempt) {
      open = -1;
    }
  }

  void lost() {
    open = -1;
  }

  void named(int attempt, int rank, long pid) {
    asking.execute(
        () -> {
          Optional<StoreClient> store = client.get();
          try {
            if (open == attempt && store.isPresent()) {
              store
                  .get()
                  .name(
                      spec.job(),
                      attempt,
                      List.of(new RankName(rank, spec.here().node(), "", pid)));
            }
          } catch (IOException unnamed) {
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
      Optional<StoreClient> store = client.get();
      if (store.isPresent()) {
        for (RankState rank : store.get().ranks(spec.job(), open)) {
          if (!rank.waitsFor().isEmpty() && found.size() < SHOWN_WAITS) {
            found.put(rank.rank(), rank.waitsFor().getFirst());
          }
        }
      }
      waits = Map.copyOf(found);
    } catch (IOException silent) {
      waits = Map.of();
    } finally {
      polling = false;
    }
  }
}
