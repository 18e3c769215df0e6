package dev.holdfast.bench.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which hosts are meant, and how many ranks each takes. */
class HostSlotsTest {
  @Test
  void listsNameHostsRangesAndSlots() {
    assertThat(HostSlots.list("n1, user@n2:4,g[01-02]:8"))
        .containsExactly(
            new HostSlots("n1", 1),
            new HostSlots("user@n2", 4),
            new HostSlots("g01", 8),
            new HostSlots("g02", 8));
    assertThat(HostSlots.list("g[1,3]")).extracting(HostSlots::host).containsExactly("g1", "g3");
    assertThatThrownBy(() -> HostSlots.list("n1,,n2")).hasMessageContaining("HOST:SLOTS");
    assertThatThrownBy(() -> HostSlots.list("n1:0")).hasMessageContaining("n1");
    assertThatThrownBy(() -> HostSlots.list("-oProxyCommand=x")).hasMessageContaining("no host");
    assertThatThrownBy(() -> HostSlots.list("n1;reboot")).hasMessageContaining("no host");
  }

  @Test
  void filesForMpirunAreUnderstood() {
    assertThat(
            HostSlots.file(
                """
                # two racks
                n1 slots=4 max_slots=8
                n2:2       # as MPICH writes it
                n3

                n4 max-slots=9 slots = 3
                """))
        .containsExactly(
            new HostSlots("n1", 4),
            new HostSlots("n2", 2),
            new HostSlots("n3", 1),
            new HostSlots("n4", 3));
    assertThatThrownBy(() -> HostSlots.file("# nobody\n")).hasMessageContaining("names no host");
  }

  @Test
  void whatIsNotUnderstoodInAFileIsRefusedWithItsLine() {
    for (String wrong : List.of("n2 slots=x", "n2 slots=4 gpus", "n2 n3", "n2:x", "n2 slots=0")) {
      assertThatThrownBy(() -> HostSlots.file("n1\n\n" + wrong + "  # why\n"))
          .as(wrong)
          .hasMessageStartingWith("line 3: ");
    }
    assertThatThrownBy(() -> HostSlots.file("n2 slots=x"))
        .hasMessage("line 1: expected HOST, HOST:N or 'HOST slots=N', not 'n2 slots=x'");
  }

  @Test
  void slurmTellsNodesAndTasks() {
    assertThat(
            HostSlots.slurm(
                Map.of("SLURM_JOB_NODELIST", "gpu[1-3]", "SLURM_TASKS_PER_NODE", "8(x2),4")))
        .containsExactly(
            new HostSlots("gpu1", 8), new HostSlots("gpu2", 8), new HostSlots("gpu3", 4));
    assertThatThrownBy(() -> HostSlots.slurm(Map.of())).hasMessageContaining("salloc");
  }

  @Test
  void hostsAreFilledOneAfterTheOther() {
    List<HostSlots> hosts = HostSlots.list("n1:2,n2:2");
    assertThat(HostSlots.places(hosts, 0)).containsExactly("n1", "n1", "n2", "n2");
    assertThat(HostSlots.places(hosts, 3)).containsExactly("n1", "n1", "n2");
    assertThatThrownBy(() -> HostSlots.places(hosts, 5)).hasMessageContaining("4 slots");
  }
}
