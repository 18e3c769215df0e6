package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Performs over links: what each rank does comes from {@link Schedule}. */
final class FlowPerformer implements Performer {
  private final RankSettings settings;
  private final List<MemorySegment> buffers;
  private final Mesh mesh;
  private final Flow flow;

  FlowPerformer(
      RankSettings settings,
      List<MemorySegment> buffers,
      Mesh mesh,
      AtomicReference<@Nullable String> stop) {
    this.settings = settings;
    this.buffers = List.copyOf(buffers);
    this.mesh = mesh;
    this.flow = new Flow(mesh, buffers, settings.silenceNanos(), stop);
  }

  @Override
  public long check(Operation operation) throws IOException {
    Checker checker = new Checker(operation, settings.rank(), buffers);
    checker.fill();
    flow.run(Schedule.of(operation, settings.rank()), operation.element());
    return checker.wrong();
  }

  @Override
  public long[] time(Operation operation, int iterations) throws IOException {
    List<Step> steps = Schedule.of(operation, settings.rank());
    long[] nanos = new long[iterations];
    flow.run(barrier(operation.ranks()), operation.element());
    long before = System.nanoTime();
    for (int i = 0; i < iterations; i++) {
      flow.run(steps, operation.element());
      long now = System.nanoTime();
      nanos[i] = now - before;
      before = now;
    }
    return nanos;
  }

  private List<Step> barrier(int ranks) {
    return Schedule.of(
        Operation.of(Collective.BARRIER, 0, Element.FLOAT, 0, ranks), settings.rank());
  }

  @Override
  public void close() {
    mesh.close();
  }
}
