package dev.holdfast.launch.rendezvous;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Somebody outside the job who says which launcher leads it, such as a managed store. With one, the
 * job goes on however few of its first launchers are left; while it cannot be reached, nobody
 * leads. Answers must come within a deadline; a late one is worth less, because the lease counts
 * from the moment of asking.
 */
public interface Arbiter {

  /**
   * What the arbiter says.
   *
   * @param term granted: greater than any before
   * @param holder who holds it now, empty: not known
   */
  record Grant(boolean granted, long term, String holder) {}

  /** Claims the job, for at least this term and for this long. */
  CompletableFuture<Grant> claim(String holder, long wanted, Duration lease);

  /** Holds it longer; not granted when somebody else holds it now. */
  CompletableFuture<Grant> renew(String holder, long term, Duration lease);

  /** Gives it back. */
  CompletableFuture<Void> release(String holder, long term);
}
