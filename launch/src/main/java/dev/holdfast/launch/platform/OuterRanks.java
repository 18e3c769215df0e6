package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Do RANK and WORLD_SIZE in the launcher's own environment count nodes or ranks? Both are in use:
 * nodes where a platform starts one process a pod (PyTorchJob, Volcano, Alibaba PAI, Baidu AIHC),
 * ranks wherever somebody has started ranks already. They are never trusted alone: what other
 * sources say of the nodes, and LOCAL_RANK, decide.
 *
 * @param rank of this node, if that is what is counted
 * @param count of nodes, if that is what is counted
 */
record OuterRanks(
    Optional<Claim> rank, Optional<Claim> count, Optional<Trouble> trouble, Optional<String> note) {
  private static final OuterRanks NOTHING =
      new OuterRanks(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  static OuterRanks of(Surroundings around, Optional<Claim> nodes) {
    OptionalInt local = around.number("LOCAL_RANK");
    OptionalInt locals = around.number("LOCAL_WORLD_SIZE");
    if (local.isPresent() && (local.getAsInt() > 0 || locals.orElse(1) > 1)) {
      String of = locals.isPresent() ? " and LOCAL_WORLD_SIZE=" + locals.getAsInt() : "";
      return perRank(
          "LOCAL_RANK=%d%s: this launcher is itself started as a rank"
              .formatted(local.getAsInt(), of));
    }
    Optional<Claim> rank = around.claim("RANK");
    Optional<Claim> world = around.claim("WORLD_SIZE");
    if (rank.isEmpty() || world.isEmpty()) {
      return NOTHING;
    }
    if (nodes.isEmpty()) {
      return local.isPresent() && world.get().value() > 1
          ? troubled(
              Trait.COUNT,
              "%s beside LOCAL_RANK=0 may count ranks or nodes: say which with --nnodes"
                  .formatted(world.get()))
          : new OuterRanks(rank, world, Optional.empty(), Optional.empty());
    }
    return compared(rank.get(), world.get(), nodes.get(), local.isPresent());
  }

  private static OuterRanks compared(Claim rank, Claim world, Claim nodes, boolean local) {
    if (world.agrees(nodes)) {
      return new OuterRanks(
          Optional.of(rank), Optional.of(world), Optional.empty(), Optional.empty());
    }
    if (world.value() == 0 || world.value() % nodes.value() != 0) {
      return troubled(
          Trait.COUNT, "%s and %s disagree about %s".formatted(nodes, world, Trait.COUNT.words()));
    }
    return local
        ? perRank(
            "%s ranks on %s nodes (%s, %s), and LOCAL_RANK=0: this launcher is itself started as a rank"
                .formatted(world.value(), nodes.value(), world, nodes))
        : new OuterRanks(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(
                "%s and %s count ranks, not nodes (%s): not used".formatted(rank, world, nodes)));
  }

  private static OuterRanks perRank(String what) {
    return new OuterRanks(
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new Trouble(
                Trait.PROCESSES,
                ErrorCode.LAUNCHED_PER_RANK,
                what + ", and would start ranks of its own")),
        Optional.empty());
  }

  private static OuterRanks troubled(Trait trait, String what) {
    return new OuterRanks(
        Optional.empty(),
        Optional.empty(),
        Optional.of(new Trouble(trait, ErrorCode.CONTRADICTION, what)),
        Optional.empty());
  }
}
