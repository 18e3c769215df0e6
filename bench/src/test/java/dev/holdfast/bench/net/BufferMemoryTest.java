package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.network.Collective;
import dev.holdfast.os.process.MemoryRoom;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the buffers of all ranks fit. */
class BufferMemoryTest {
  private static final long GIB = 1L << 30;

  private static NetPlan plan(Collective collective, long bytes, int ranks, Transport transport) {
    return new NetPlan(
        List.of(Operation.of(collective, bytes, Element.FLOAT, 0, ranks)),
        ranks,
        transport,
        1,
        0,
        NetPlan.UNTIL_WARM,
        true,
        1,
        true,
        30);
  }

  @Test
  void buffersThatDoNotFitAreRefusedWithWhatTheyNeedAndWhatThereIs() {
    NetPlan plan = plan(Collective.BROADCAST, GIB, 4, Transport.TCP);
    long needed = 4 * GIB * (plan.needsOther() ? 2 : 1);
    BufferMemory.require(plan, new MemoryRoom(2 * needed, needed));
    assertThatThrownBy(() -> BufferMemory.require(plan, new MemoryRoom(2 * needed, needed - 1)))
        .hasMessageContaining("the buffers of 4 ranks need")
        .hasMessageContaining("free");
    assertThatThrownBy(
            () ->
                BufferMemory.require(
                    plan(Collective.ALL_REDUCE, 1L << 40, 2, Transport.SHM),
                    new MemoryRoom(2 * GIB, GIB)))
        .hasMessageContaining("this machine has 1 GiB free:");
  }

  @Test
  void buffersOnGpusAreNoMemoryOfThisMachine() {
    BufferMemory.require(
        plan(Collective.ALL_REDUCE, 1L << 40, 2, Transport.NCCL), new MemoryRoom(GIB, GIB));
  }

  @Test
  void theLimitOfAControlGroupIsNamed() {
    assertThatThrownBy(
            () ->
                BufferMemory.require(
                    plan(Collective.ALL_REDUCE, GIB, 2, Transport.TCP),
                    new MemoryRoom(2 * GIB, GIB, "/slurm/job_4711")))
        .hasMessageContaining(
            "the memory limit of control group /slurm/job_4711 leaves 1 GiB free:");
  }
}
