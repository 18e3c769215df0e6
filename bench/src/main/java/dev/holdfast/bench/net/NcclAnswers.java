package dev.holdfast.bench.net;

import dev.holdfast.os.cuda.Cuda;
import dev.holdfast.os.cuda.Nccl;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Calls of NCCL by a program that must know the answer before it goes on: its numbers go from its
 * own memory to the GPU and what came of them goes back, all on one stream, and it waits.
 *
 * @param from device memory that is handed to NCCL
 * @param to device memory that it writes to
 * @param finish waits for the stream
 */
record NcclAnswers(
    int rank, int ranks, Cuda cuda, Nccl nccl, long stream, long from, long to, Call finish) {

  /** A call and how it is checked. */
  record Asked(Checked checked, Call call) {}

  Asked ask(Operation operation) throws IOException {
    // Freed once nobody asks any more.
    MemorySegment host = Arena.ofAuto().allocate(Math.max(16, operation.bytes()), 16);
    if (operation.algorithm() == Algorithm.OBJECT) {
      ObjectGather gather =
          new ObjectGather(operation.ranks(), rank, host, each -> gather(host, each));
      return new Asked(gather, gather);
    }
    Call call =
        switch (operation.collective()) {
          case ALL_GATHER -> () -> gather(host, operation.bytes() / ranks);
          case ALL_REDUCE -> () -> reduce(host, operation.bytes());
          default ->
              throw new IOException(
                  operation.collective().word() + " is not asked for an answer with NCCL");
        };
    return new Asked(new Checker(operation, rank, List.of(host, host)), call);
  }

  /** From and to the memory of the program. */
  private void gather(MemorySegment host, long each) throws IOException {
    long own = rank * each;
    cuda.copyIn(host.asSlice(own, each), from + own, each, stream);
    nccl.allGather(from + own, to, each / Integer.BYTES, Nccl.INT32);
    cuda.copyOut(to, host, each * ranks, stream);
    finish.run();
  }

  private void reduce(MemorySegment host, long bytes) throws IOException {
    cuda.copyIn(host, from, bytes, stream);
    nccl.allReduce(from, to, bytes / Integer.BYTES, Nccl.INT32);
    cuda.copyOut(to, host, bytes, stream);
    finish.run();
  }
}
