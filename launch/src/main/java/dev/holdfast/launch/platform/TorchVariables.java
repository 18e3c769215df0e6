package dev.holdfast.launch.platform;

import java.util.Optional;

/**
 * Variables that any platform may set for torchrun: PET_* (Kubeflow Trainer and others), NODE_RANK
 * and NNODES, and MASTER_ADDR as the place to meet. RANK and WORLD_SIZE are judged by {@link
 * OuterRanks}.
 */
final class TorchVariables {
  static final String NAME = "environment";

  private TorchVariables() {}

  static Optional<Sighting> look(Surroundings around) {
    Sighting seen = new Sighting(NAME);
    seen.rank = around.claim("PET_NODE_RANK", "NODE_RANK");
    // An elastic range (2:4) is no number of nodes; --nnodes reads it.
    seen.count =
        around.text("PET_NNODES", "NNODES").filter(text -> text.matches("[0-9]+")).isPresent()
            ? around.claim("PET_NNODES", "NNODES")
            : Optional.empty();
    seen.processes =
        around.text("NPROC_PER_NODE").filter(text -> text.matches("[1-9][0-9]*")).isPresent()
            ? around.claim("NPROC_PER_NODE")
            : Optional.empty();
    seen.host = around.text("PET_MASTER_ADDR", "MASTER_ADDR");
    if (seen.host.isPresent()) {
      seen.port = around.number(around.has("PET_MASTER_ADDR") ? "PET_MASTER_PORT" : "MASTER_PORT");
    }
    boolean nothing = seen.rank.isEmpty() && seen.count.isEmpty() && seen.host.isEmpty();
    return nothing && seen.processes.isEmpty() ? Optional.empty() : Optional.of(seen);
  }
}
