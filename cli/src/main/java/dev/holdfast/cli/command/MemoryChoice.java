package dev.holdfast.cli.command;

import dev.holdfast.core.topology.IdSet;
import dev.holdfast.os.libc.MemoryPolicy;
import dev.holdfast.os.libc.MemoryPolicy.Mode;
import java.util.BitSet;
import java.util.Optional;

/** Where a task takes its memory from. */
enum MemoryChoice {
  /** From its own nodes while they have some. Nothing is killed for want of local memory. */
  PREFERRED,
  /** From its own nodes or not at all. */
  BIND,
  NONE;

  Optional<MemoryPolicy> policy(IdSet nodes) {
    if (this == NONE || nodes.isEmpty()) {
      return Optional.empty();
    }
    BitSet bits = new BitSet();
    nodes.stream().forEach(bits::set);
    Mode many = nodes.count() == 1 ? Mode.PREFERRED : Mode.PREFERRED_MANY;
    return Optional.of(new MemoryPolicy(this == BIND ? Mode.BIND : many, bits));
  }
}
