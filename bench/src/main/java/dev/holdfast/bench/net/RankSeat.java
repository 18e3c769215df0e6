package dev.holdfast.bench.net;

import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * The core a rank has to itself, named by whoever started it or chosen where it runs, or its GPU.
 *
 * @param core below zero: not named
 * @param index which of the ranks of its host it is
 * @param count how many ranks its host has; 0: it shall have no core to itself
 */
record RankSeat(int core, int index, int count) {
  static final RankSeat NONE = new RankSeat(-1, 0, 0);

  /** No core, but a GPU to itself: NCCL's own threads need cores, too. */
  static RankSeat gpu(int index) {
    return new RankSeat(-1, index, 0);
  }

  static RankSeat of(int core) {
    return core < 0 ? NONE : new RankSeat(core, 0, 0);
  }

  /** Binds this thread if there is a core for it. Whether that is so. */
  boolean take() throws IOException {
    List<Integer> permitted =
        FreeCores.apart(CpuAffinity.permitted().stream().boxed().toList(), Path.of("/"));
    int chosen =
        core >= 0 ? core : count > 0 && permitted.size() >= count ? permitted.get(index) : -1;
    if (chosen < 0) {
      return false;
    }
    BitSet one = new BitSet();
    one.set(chosen);
    CpuAffinity.bind(one);
    return true;
  }
}
