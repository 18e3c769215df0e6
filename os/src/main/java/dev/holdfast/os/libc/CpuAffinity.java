package dev.holdfast.os.libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * On which CPUs may this thread run? Affinity belongs to a thread, not to a process; a child
 * process, or a program that replaces this one, inherits that of the thread which starts it. Call
 * from a platform thread.
 */
public final class CpuAffinity {
  private CpuAffinity() {}

  /** The CPUs of the calling thread. */
  public static BitSet current() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = BitMask.empty(arena, BitMask.CPUS);
      require(Libc.affinity(0, mask), "sched_getaffinity");
      return BitMask.read(mask);
    }
  }

  /** Binds the calling thread; the kernel takes away what its cpuset does not allow. */
  public static void bind(BitSet cpus) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      require(Libc.setAffinity(0, BitMask.of(arena, BitMask.CPUS, cpus)), "sched_setaffinity");
    }
  }

  /**
   * The CPUs the cpuset of this process lets it have, whatever its present affinity is. Asked of
   * the kernel itself: a thread of its own takes all CPUs and looks at what it was given. So it is
   * right under cgroups of both versions, in containers and without any.
   */
  public static BitSet permitted() throws IOException {
    CompletableFuture<BitSet> answer = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("cpuset")
        .daemon()
        .start(
            () -> {
              try {
                BitSet all = new BitSet();
                all.set(0, BitMask.CPUS);
                bind(all);
                answer.complete(current());
              } catch (IOException | RuntimeException | Error problem) {
                answer.completeExceptionally(problem);
              }
            });
    try {
      return answer.get();
    } catch (ExecutionException refused) {
      // Where a sandbox refuses even this, what we have is all we may have.
      return current();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private static void require(int result, String call) throws IOException {
    if (result < 0) {
      throw new IOException(call + ": " + Errno.name(-result));
    }
  }
}
