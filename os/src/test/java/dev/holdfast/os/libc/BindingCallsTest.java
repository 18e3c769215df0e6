package dev.holdfast.os.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.os.process.Placement;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BindingCallsTest {
  @Test
  void aThreadIsBoundAndTheKernelSaysSo() throws Exception {
    BitSet before = CpuAffinity.current();
    BitSet one = new BitSet();
    one.set(before.nextSetBit(0));
    onThread(
        () -> {
          CpuAffinity.bind(one);
          assertThat(CpuAffinity.current()).isEqualTo(one);
          assertThat(Placement.of("thread-self").orElseThrow().cpus())
              .isEqualTo(Integer.toString(one.nextSetBit(0)));
          return null;
        });
    assertThat(CpuAffinity.current()).as("other threads keep theirs").isEqualTo(before);
  }

  @Test
  void whatIsPermittedDoesNotDependOnThePresentAffinity() throws Exception {
    BitSet permitted = CpuAffinity.permitted();
    BitSet before = CpuAffinity.current();
    assertThat(permitted.cardinality()).isGreaterThanOrEqualTo(before.cardinality());
    BitSet one = new BitSet();
    one.set(before.nextSetBit(0));
    onThread(
        () -> {
          CpuAffinity.bind(one);
          assertThat(CpuAffinity.permitted()).isEqualTo(permitted);
          assertThat(CpuAffinity.current()).isEqualTo(one);
          return null;
        });
  }

  @Test
  void cpusThatAreNotThereAreRefusedByName() throws Exception {
    BitSet nowhere = new BitSet();
    nowhere.set(60_000);
    onThread(
        () -> {
          assertThatThrownBy(() -> CpuAffinity.bind(nowhere))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("sched_setaffinity: EINVAL");
          return null;
        });
  }

  @Test
  void aMemoryPolicyIsTakenOrRefusedWithAReason() throws Exception {
    BitSet node = new BitSet();
    node.set(0);
    onThread(
        () -> {
          assertThat(MemoryPolicy.current().mode()).isEqualTo(MemoryPolicy.Mode.DEFAULT);
          try {
            new MemoryPolicy(MemoryPolicy.Mode.BIND, node).apply();
          } catch (IOException refused) {
            assertThat(refused).hasMessageMatching("set_mempolicy: (EPERM|ENOSYS).*");
            return null;
          }
          assertThat(MemoryPolicy.current())
              .isEqualTo(new MemoryPolicy(MemoryPolicy.Mode.BIND, node));
          new MemoryPolicy(MemoryPolicy.Mode.DEFAULT, new BitSet()).apply();
          assertThat(MemoryPolicy.current().mode()).isEqualTo(MemoryPolicy.Mode.DEFAULT);
          return null;
        });
  }

  @Test
  void aNodeThatIsNotThereIsRefused() throws Exception {
    BitSet nowhere = new BitSet();
    nowhere.set(1000);
    onThread(
        () -> {
          assertThatThrownBy(() -> new MemoryPolicy(MemoryPolicy.Mode.BIND, nowhere).apply())
              .isInstanceOf(IOException.class)
              .hasMessageContaining("set_mempolicy: E");
          return null;
        });
  }

  /** Binding is for good, so every test does it on a thread of its own. */
  private static void onThread(Callable<?> work) throws Exception {
    FutureTask<?> task = new FutureTask<>(work);
    Thread.ofPlatform().start(task);
    task.get();
  }
}
