package dev.holdfast.launch.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobSpecTest {
  private static final JobSpec SPEC =
      new JobSpec(
          "slurm-4711",
          "night",
          new Team(
              2,
              4,
              1,
              List.of("n9"),
              List.of("n1", "n2"),
              "n1",
              29400,
              true,
              Optional.of(new ArbiterPlace("a1", 7000, "/secret"))),
          new Here(
              "n1",
              0,
              "10.0.0.1",
              8,
              "slurm",
              List.of("/dev/termination-log"),
              new Binding(
                  "rail",
                  List.of(new Binding.Place("0-3", "0", "0", "mlx5_0", Map.of("A", "b"))),
                  List.of("note"))),
          new Program(
              List.of("/usr/bin/python3", "-u", "train.py", "--help"),
              true,
              "default",
              true,
              Map.of("SM_HOSTS", "[\"a\"]")),
          new OutputPlan(
              "/logs",
              StreamChoice.BOTH,
              StreamChoice.parse("0:1,3:2"),
              List.of(0),
              "[${role_name}${local_rank}]:"),
          new WatchPlan("auto:120", OnHang.RESTART, "step (\\d+)", "", "/ckpt", "kill:rank=1"),
          new EndPlan(3, Duration.ofMillis(1500), List.of("hang=mail"), true, true),
          new PortRange(30000, 30010));

  @Test
  void survivesTheWayToTheProcessBesideTheSupervisor() {
    String line = Json.line(SPEC.json());
    assertThat(JobSpec.of(Fields.of("job", Json.object(line)))).isEqualTo(SPEC);
  }

  @Test
  void streamsAreWrittenAsTorchrunDoes() {
    StreamChoice some = StreamChoice.parse("1:2,0:3");
    assertThat(some.of(0)).isEqualTo(3);
    assertThat(some.of(1)).isEqualTo(2);
    assertThat(some.of(2)).isZero();
    assertThat(some).hasToString("0:3,1:2");
    assertThat(StreamChoice.parse("3").of(17)).isEqualTo(3);
    for (String wrong : List.of("", "4", "0:4", "a", "0:1,", "0-1", "-1")) {
      assertThatThrownBy(() -> StreamChoice.parse(wrong))
          .hasMessage(
              "'"
                  + wrong
                  + "' names no streams: write 0 (none), 1 (output), 2 (errors) or 3 (both), or by"
                  + " local rank 0:1,1:2");
    }
  }

  @Test
  void onlyChosenRanksAreShown() {
    assertThat(SPEC.output().shown(0)).isEqualTo(1);
    assertThat(SPEC.output().shown(3)).isZero();
  }

  @Test
  void portsAreARange() {
    assertThat(PortRange.parse("29500-29999")).isEqualTo(PortRange.DEFAULT);
    assertThat(PortRange.parse("4000").size()).isEqualTo(1);
    for (String wrong : List.of("0", "5-4", "1-65536", "x", "1-", "1-2-3")) {
      assertThatThrownBy(() -> PortRange.parse(wrong))
          .hasMessageEndingWith("is no range of ports: write 29500-29999");
    }
  }
}
