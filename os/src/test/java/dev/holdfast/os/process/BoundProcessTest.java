package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.libc.MemoryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundProcessTest {
  @TempDir Path folder;

  @Test
  void theProgramIsBoundFromItsFirstInstruction() throws Exception {
    Path told = folder.resolve("told");
    BoundProcess.Started started =
        new BoundProcess(
                List.of("sh", "-c", "cat /proc/self/status > \"$TOLD\""),
                Map.of("TOLD", told.toString()),
                lastCpu(),
                Optional.empty())
            .start();
    assertThat(started.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(told))
        .contains("Cpus_allowed_list:\t" + lastCpu().nextSetBit(0) + "\n");
    assertThat(started.memoryRefused()).isEmpty();
    assertThat(CpuAffinity.current()).as("this process is as before").isNotEqualTo(new BitSet());
  }

  @Test
  void theMemoryPolicyIsInherited() throws Exception {
    Path told = folder.resolve("told");
    BitSet node = new BitSet();
    node.set(0);
    BoundProcess.Started started =
        new BoundProcess(
                List.of("sh", "-c", "head -n 1 /proc/self/numa_maps > \"$TOLD\""),
                Map.of("TOLD", told.toString()),
                lastCpu(),
                Optional.of(new MemoryPolicy(MemoryPolicy.Mode.BIND, node)))
            .start();
    assertThat(started.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
    if (started.memoryRefused().isPresent()) {
      assertThat(started.memoryRefused().get()).startsWith("set_mempolicy: E");
    } else {
      assertThat(Files.readString(told)).contains(" bind:0 ");
    }
  }

  @Test
  void aProgramThatIsNotThereIsTold() throws IOException {
    BoundProcess nothing =
        new BoundProcess(List.of("/no/such/program"), Map.of(), lastCpu(), Optional.empty());
    assertThatThrownBy(nothing::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/program");
  }

  @Test
  void aProcessThatIsGoneHasNoPlacement() {
    assertThat(Placement.of("4194305")).isEmpty();
  }

  private static BitSet lastCpu() throws IOException {
    BitSet last = new BitSet();
    last.set(CpuAffinity.permitted().length() - 1);
    return last;
  }
}
