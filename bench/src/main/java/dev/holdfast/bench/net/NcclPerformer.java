package dev.holdfast.bench.net;

import dev.holdfast.os.cuda.Cuda;
import dev.holdfast.os.cuda.Nccl;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Performs with NCCL on a GPU. In place, as in training; with a single rank, where that would be
 * nothing to do, from one buffer to the other.
 */
final class NcclPerformer implements Performer {
  /** So many looks at once before others are let run. */
  private static final int SPINS = 1000;

  private final RankSettings settings;
  private final Cuda cuda;
  private final Nccl nccl;
  private final long stream;
  private final long data;
  private final long other;
  private final List<Long> events = new ArrayList<>();

  NcclPerformer(RankSettings settings, Cuda cuda, Nccl nccl, String id) throws IOException {
    this.settings = settings;
    this.cuda = cuda;
    this.nccl = nccl;
    this.stream = cuda.stream();
    long bytes = Math.max(4096, settings.bytes());
    this.data = cuda.allocate(bytes);
    this.other = settings.other() ? cuda.allocate(bytes) : 0;
    nccl.join(id, settings.rank(), settings.ranks(), stream);
  }

  @Override
  public String about() {
    try {
      return "NCCL " + nccl.version() + ", " + cuda.name();
    } catch (IOException unknown) {
      return "NCCL, " + cuda.name();
    }
  }

  private NcclAnswers.Asked ask(Operation operation) throws IOException {
    return new NcclAnswers(
            settings.rank(),
            settings.ranks(),
            cuda,
            nccl,
            stream,
            alone() ? other : data,
            data,
            this::finish)
        .ask(operation);
  }

  private boolean alone() {
    return settings.ranks() == 1;
  }

  @Override
  public long check(Operation operation) throws IOException {
    if (operation.algorithm().answers()) {
      NcclAnswers.Asked asked = ask(operation);
      asked.checked().fill();
      asked.call().run();
      return asked.checked().wrong();
    }
    long bytes = operation.bytes();
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> buffers =
          List.of(
              arena.allocate(Math.max(16, bytes), 16),
              arena.allocate(operation.needsOther() ? Math.max(16, bytes) : 16, 16));
      Checker checker = new Checker(operation, settings.rank(), buffers);
      checker.fill();
      if (bytes > 0) {
        cuda.copyIn(buffers.getFirst(), alone() ? other : data, bytes);
        if (alone() || operation.needsOther()) {
          cuda.fill(alone() ? data : other, (byte) 0x55, bytes);
        }
      }
      cuda.await();
      perform(operation);
      finish();
      if (bytes > 0) {
        cuda.copyOut(data, buffers.getFirst(), bytes);
        if (operation.needsOther()) {
          cuda.copyOut(alone() ? data : other, buffers.getLast(), bytes);
        }
      }
      return checker.wrong();
    }
  }

  @Override
  public long[] time(Operation operation, int iterations) throws IOException {
    if (operation.algorithm().answers()) {
      Call call = ask(operation).call();
      barrier();
      finish();
      return Call.timed(call, iterations);
    }
    while (events.size() <= iterations) {
      events.add(cuda.event());
    }
    barrier();
    cuda.record(events.getFirst(), stream);
    for (int i = 0; i < iterations; i++) {
      perform(operation);
      cuda.record(events.get(i + 1), stream);
    }
    // Each call has the whole patience: a slow network is not a rank that does not come.
    for (int i = 0; i <= iterations; i++) {
      await(events.get(i));
    }
    long[] nanos = new long[iterations];
    for (int i = 0; i < iterations; i++) {
      nanos[i] = Math.max(1, cuda.nanos(events.get(i), events.get(i + 1)));
    }
    return nanos;
  }

  private static int type(Element element) {
    return switch (element) {
      case FLOAT -> Nccl.FLOAT32;
      case BF16 -> Nccl.BFLOAT16;
      case INT -> Nccl.INT32;
    };
  }

  /** Puts an operation on the stream. */
  private void perform(Operation operation) throws IOException {
    int type = type(operation.element());
    long count = operation.bytes() / operation.element().bytes();
    long part = count / operation.ranks();
    long partBytes = part * operation.element().bytes();
    long from = alone() ? other : data;
    long own = settings.rank() * partBytes;
    switch (operation.collective()) {
      case ALL_REDUCE -> {
        for (int piece = 0; piece < operation.pieces(); piece++) {
          long at = piece * operation.bytes();
          nccl.allReduce(from + at, data + at, count, type);
        }
      }
      case ALL_GATHER -> nccl.allGather(from + own, data, part, type);
      case REDUCE_SCATTER -> nccl.reduceScatter(from, data + own, part, type);
      case BROADCAST -> nccl.broadcast(from, data, count, type, operation.root());
      case REDUCE -> nccl.reduce(from, data, count, type, operation.root());
      case ALL_TO_ALL -> exchange(from, alone() ? data : other, part, partBytes, type);
      case GATHER -> gather(operation.root(), from, part, partBytes, type);
      case SCATTER -> scatter(operation.root(), from, part, partBytes, type);
      case BARRIER -> barrier();
      case LATENCY -> {
        message(0, 1, count, type);
        message(1, 1, count, type);
      }
      case BANDWIDTH -> {
        message(0, Schedule.WINDOW, count, type);
        message(1, 1, 1, type);
      }
      case BIDIRECTIONAL -> bothWays(count, type);
      default ->
          throw new IOException(operation.collective().word() + " is not measured with NCCL");
    }
  }

  private void exchange(long from, long to, long part, long partBytes, int type)
      throws IOException {
    nccl.begin();
    for (int peer = 0; peer < settings.ranks(); peer++) {
      nccl.send(from + peer * partBytes, part, type, peer);
      nccl.receive(to + peer * partBytes, part, type, peer);
    }
    nccl.end();
  }

  private void gather(int root, long from, long part, long partBytes, int type) throws IOException {
    nccl.begin();
    if (settings.rank() != root || alone()) {
      nccl.send(from + settings.rank() * partBytes, part, type, root);
    }
    for (int peer = 0; settings.rank() == root && peer < settings.ranks(); peer++) {
      if (peer != root || alone()) {
        nccl.receive(data + peer * partBytes, part, type, peer);
      }
    }
    nccl.end();
  }

  private void scatter(int root, long from, long part, long partBytes, int type)
      throws IOException {
    nccl.begin();
    for (int peer = 0; settings.rank() == root && peer < settings.ranks(); peer++) {
      if (peer != root || alone()) {
        nccl.send(from + peer * partBytes, part, type, peer);
      }
    }
    if (settings.rank() != root || alone()) {
      nccl.receive(data + settings.rank() * partBytes, part, type, root);
    }
    nccl.end();
  }

  /** From one of two ranks to the other, so often at once. */
  private void message(int sender, int times, long count, int type) throws IOException {
    int peer = 1 - settings.rank();
    nccl.begin();
    for (int i = 0; i < times; i++) {
      if (settings.rank() == sender) {
        nccl.send(data, count, type, peer);
      } else {
        nccl.receive(other, count, type, peer);
      }
    }
    nccl.end();
  }

  private void bothWays(long count, int type) throws IOException {
    int peer = 1 - settings.rank();
    nccl.begin();
    for (int i = 0; i < Schedule.WINDOW; i++) {
      nccl.send(data, count, type, peer);
      nccl.receive(other, count, type, peer);
    }
    nccl.end();
  }

  /** NCCL has none; this is how programs do it. */
  private void barrier() throws IOException {
    nccl.allReduce(data, data, 1, Nccl.INT32);
  }

  private void finish() throws IOException {
    if (events.isEmpty()) {
      events.add(cuda.event());
    }
    cuda.record(events.getFirst(), stream);
    await(events.getFirst());
  }

  private void await(long event) throws IOException {
    long end = System.nanoTime() + settings.silenceNanos();
    for (int looks = 0; !cuda.passed(event); looks++) {
      if (looks % SPINS == SPINS - 1) {
        nccl.throwTroubles();
        if (System.nanoTime() > end) {
          throw new IOException(
              "the GPU is not done after %.0f s: another rank does not come, or NCCL's network hangs"
                  .formatted(settings.silenceSeconds()));
        }
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() {
    // Device memory and the communicator go with the process, which ends now.
  }
}
