package dev.holdfast.launch.platform;

import java.util.Optional;

/** Started by mpirun: one launcher a node, or refused. */
final class OpenMpi {
  private OpenMpi() {}

  static Optional<Sighting> look(Surroundings around) {
    Optional<Claim> size = around.claim("OMPI_COMM_WORLD_SIZE");
    if (size.isEmpty()) {
      return Optional.empty();
    }
    Sighting seen = new Sighting("mpi");
    Optional<Claim> local = around.claim("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (local.isPresent() && local.get().value() > 1) {
      seen.perRank(
          "mpirun starts %d processes on this node (%s)"
              .formatted(local.get().value(), local.get()));
      return Optional.of(seen);
    }
    seen.count = size;
    seen.rank = around.claim("OMPI_COMM_WORLD_RANK");
    return Optional.of(seen);
  }
}
