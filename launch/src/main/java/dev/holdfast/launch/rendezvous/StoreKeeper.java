package dev.holdfast.launch.rendezvous;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Opens a store for each attempt and closes it when the attempt is over. */
public interface StoreKeeper {

  /** Where the ranks of an attempt meet. */
  record Place(String host, int port) {}

  /** There was such an attempt, though this launcher knows nothing of it; a later one will do. */
  final class OldAttempt extends IOException {
    private static final long serialVersionUID = 1L;

    public OldAttempt(String why, Throwable cause) {
      super(why, cause);
    }
  }

  /**
   * Opens the store of an attempt; fails with {@link OldAttempt} where the number is used up.
   *
   * @param term of the leader that asks
   * @param allowed addresses of the nodes whose ranks may connect
   */
  CompletableFuture<Place> open(int attempt, long term, List<String> allowed);

  /** From now on nobody of that attempt can read or write; done when the port is closed. */
  CompletableFuture<Void> close(int attempt, long term);
}
