package dev.holdfast.core.topology.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The machine for programs. */
class TopologyJsonTest {
  @Test
  void aMachineWithTwoSockets() {
    Golden.verify(
        Samples.FOLDER.resolve("two-sockets.json"), TopologyJson.write(Samples.twoSockets()));
  }

  @Test
  void aTableOfLinksAlone() {
    Golden.verify(Samples.FOLDER.resolve("four-gpus.json"), TopologyJson.write(Samples.fourGpus()));
  }

  @Test
  void everyCpuIsThere() throws IOException {
    for (Map.Entry<String, Topology> machine : Samples.shared().entrySet()) {
      String json = TopologyJson.write(machine.getValue());
      assertThat(json.split("\"kind\": \"pu\"", -1))
          .as(machine.getKey())
          .hasSize(machine.getValue().cpus().count() + 1);
    }
  }

  @Test
  void hostileNamesAreCarriedAsTheyAre() {
    Map<String, Object> tree = Json.object(TopologyJson.write(Samples.hostile()));
    assertThat(tree.get("source")).isEqualTo(Samples.hostile().details().source());
    assertThat(tree.get("host")).isEqualTo(Samples.hostile().details().host());
  }
}
