package dev.holdfast.launch.run;

import dev.holdfast.launch.rendezvous.StoreKeeper;

/** The stores of a job's attempts, wherever they are, and what they know of its ranks. */
interface JobStore extends StoreKeeper, WaitsAtStore {

  /** The attempt's store was opened by an earlier process of this launcher. */
  void found(int attempt);

  /** That rank is that process of this node. */
  void named(int attempt, int rank, long pid);
}
