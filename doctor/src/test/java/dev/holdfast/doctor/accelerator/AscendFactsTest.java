package dev.holdfast.doctor.accelerator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.doctor.testing.TestNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class AscendFactsTest {
  private static final String HEAD =
      """
      | npu-smi 24.1.rc1                 Version: 24.1.rc1                                       |
      +---------------------------+---------------+----------------------------------------------+
      | NPU   Name                | Health        | Power(W)    Temp(C)     Hugepages-Usage(page)|
      | Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)  |
      +===========================+===============+==============================================+
      """;

  @Test
  void readsTheTwoRowsOfEachDevice() {
    String text =
        HEAD
            + """
            | 0     910B2C              | OK            | 86.8        35                0    / 0             |
            | 0                         | 0000:66:00.0  | 7           0    / 0          59356/ 65536         |
            +===========================+===============+====================================================+
            | 1     910B2C              | Warning       | 103.1       37                0    / 0             |
            | 0                         | 0000:C1:00.0  | 0           0    / 0          3351 / 65536         |
            +---------------------------+---------------+----------------------------------------------------+
            | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
            | 0       0                 | 17127         | python3                  | 48954                   |
            """;
    List<Accelerator> devices = AscendFacts.parse("n1", text, "24.1.rc1");
    assertThat(devices).hasSize(2);
    assertThat(devices.getFirst().model()).isEqualTo("Ascend 910B2C");
    assertThat(devices.getFirst().number("utilisation.percent")).hasValue(7);
    assertThat(devices.getFirst().number("memory.used.bytes")).hasValue(59356L << 20);
    assertThat(devices.get(1).text("health")).contains("Warning");
    assertThat(devices.get(1).text("pci.address")).contains("0000:c1:00.0");
    assertThat(devices.get(1).dataCentre()).isTrue();
  }

  @Test
  void readsPartsWithTwoChips() {
    String text =
        HEAD
            + """
            | 0     Ascend910           | OK            | 167.1       36                0    / 0             |
            | 0     0                   | 0000:9D:00.0  | 0           0    / 0          3159 / 65536         |
            +------------------------------------------------------------------------------------------------+
            | 0     Ascend910           | OK            | -           36                0    / 0             |
            | 1     1                   | 0000:9F:00.0  | 0           0    / 0          2877 / 65536         |
            """;
    List<Accelerator> devices = AscendFacts.parse("n1", text, "");
    assertThat(devices).hasSize(2);
    assertThat(devices.get(1).text("npu")).contains("0");
    assertThat(devices.get(1).text("chip")).contains("1");
    assertThat(devices.get(1).text("power.draw.watts")).isEmpty();
  }

  @Test
  void anythingElseIsNoDevice() {
    assertThat(AscendFacts.parse("n1", "", "")).isEmpty();
    assertThat(AscendFacts.parse("n1", "DrvMngGetConsoleLogLevel failed.\n| 0 | | |\n", ""))
        .isEmpty();
    assertThat(AscendFacts.parse("n1", HEAD + "| 0     910B3 | OK | x y |\n", "")).isEmpty();
  }

  @Test
  void theToolIsAskedOnlyWhereThereIsADevice() {
    assertThat(AscendFacts.read(new TestNode().node(), List.of()).why())
        .isEqualTo("no Ascend device on the node");
  }
}
