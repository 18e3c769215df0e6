package dev.holdfast.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LinksTest {
  @Test
  void everyPairOfFiveHundredDevicesIsFoundWhicheverIsNamedFirst() {
    int count = 500;
    StringBuilder table = new StringBuilder();
    for (int i = 0; i < count; i++) {
      table.append("GPU").append(i).append(' ');
    }
    table.append("CPU Affinity NUMA Affinity\n");
    for (int i = 0; i < count; i++) {
      table.append("GPU").append(i);
      for (int j = 0; j < count; j++) {
        table.append(i == j ? " X" : i / 2 == j / 2 ? " PIX" : " SYS");
      }
      table.append(" 0-7 0\n");
    }
    Topology machine = TopologyReader.read(table.toString());
    List<Device> gpus = machine.gpus();
    assertThat(gpus).hasSize(count);
    for (int i = 0; i < count; i += 2) {
      assertThat(machine.link(gpus.get(i), gpus.get(i + 1))).isEqualTo(Link.PIX);
      assertThat(machine.link(gpus.get(i + 1), gpus.get(i))).isEqualTo(Link.PIX);
      assertThat(machine.link(gpus.get(i), gpus.get((i + 2) % count))).isEqualTo(Link.SYS);
    }
  }
}
