package dev.holdfast.launch.rendezvous;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Opens a store for each attempt and closes it when the attempt is over. */
public interface StoreKeeper {

  /** Where the ranks of an attempt meet. */
  record Place(String host, int port) {}

  /**
   * Opens the store of an attempt.
   *
   * @param allowed addresses of the nodes whose ranks may connect
   */
  CompletableFuture<Place> open(int attempt, List<String> allowed);

  /** From now on nobody of that attempt can read or write; done when the port is closed. */
  CompletableFuture<Void> close(int attempt);
}
