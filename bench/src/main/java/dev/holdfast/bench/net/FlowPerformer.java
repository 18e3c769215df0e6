package dev.holdfast.bench.net;

import dev.holdfast.core.network.Collective;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Performs over links: what each rank does comes from {@link Schedule}. */
final class FlowPerformer implements Performer {
  private final int rank;
  private final List<MemorySegment> buffers;
  private final Mesh mesh;
  private final Flow flow;

  /**
   * @param rank in the operations, which is another one where two of many are measured
   */
  FlowPerformer(
      RankSettings settings,
      int rank,
      List<MemorySegment> buffers,
      Mesh mesh,
      AtomicReference<@Nullable String> stop) {
    this.rank = rank;
    this.buffers = List.copyOf(buffers);
    this.mesh = mesh;
    this.flow = new Flow(mesh, buffers, settings.silenceNanos(), stop);
  }

  @Override
  public long check(Operation operation) throws IOException {
    Checked checked;
    Call call;
    if (operation.algorithm() == Algorithm.OBJECT) {
      ObjectGather gather = gather(operation);
      checked = gather;
      call = gather;
    } else {
      checked = Checker.of(operation, rank, buffers);
      call = call(operation);
    }
    checked.fill();
    call.run();
    return checked.wrong();
  }

  private ObjectGather gather(Operation operation) {
    return ObjectGather.over(flow, operation.ranks(), rank, buffers.getFirst());
  }

  private Call call(Operation operation) {
    if (operation.algorithm() == Algorithm.OBJECT) {
      return gather(operation);
    }
    List<Step> steps = Schedule.of(operation, rank);
    return () -> flow.run(steps, operation.element());
  }

  @Override
  public long[] time(Operation operation, int iterations) throws IOException {
    Call call = call(operation);
    flow.run(barrier(operation.ranks()), operation.element());
    return Call.timed(call, iterations);
  }

  private List<Step> barrier(int ranks) {
    return Schedule.of(Operation.of(Collective.BARRIER, 0, Element.FLOAT, 0, ranks), rank);
  }

  @Override
  public void close() {
    mesh.close();
  }
}
