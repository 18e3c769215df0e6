package dev.holdfast.bench.net;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.os.process.MemoryRoom;
import java.nio.file.Path;

/** Is there room on this machine for the buffers of all ranks? Said before they are started. */
public final class BufferMemory {
  private BufferMemory() {}

  /** Complains when ranks of this machine would need more than is free here. */
  public static void require(NetPlan plan) {
    MemoryRoom room = MemoryRoom.now(Path.of("/"));
    if (room.total() > 0) {
      require(plan, room);
    }
  }

  static void require(NetPlan plan, MemoryRoom room) {
    if (plan.transport() == Transport.NCCL) {
      // Theirs are on the GPUs.
      return;
    }
    double each = (double) plan.largest() * (plan.needsOther() ? 2 : 1);
    if (each * plan.ranks() > room.available()) {
      throw new IllegalArgumentException(
          "the buffers of %d ranks need %s of memory, %s each, and %s %s free: choose a smaller size (--max-bytes) or fewer ranks"
              .formatted(
                  plan.ranks(),
                  Bytes.of((long) (each * plan.ranks())),
                  Bytes.of((long) each),
                  room.group().isEmpty()
                      ? "this machine has"
                      : "the memory limit of control group %s leaves".formatted(room.group()),
                  Bytes.of(room.available())));
    }
  }
}
