package dev.holdfast.core.topology.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree a person reads in a terminal. */
class TreeTextTest {
  private static String tree(Topology machine, int width) {
    return new TreeText(Style.PLAIN, width).write(machine);
  }

  @Test
  void aMachineWithTwoSockets() {
    Golden.verify(Samples.FOLDER.resolve("two-sockets.tree"), tree(Samples.twoSockets(), 100));
  }

  @Test
  void aTableOfLinksAlone() {
    Golden.verify(Samples.FOLDER.resolve("four-gpus.tree"), tree(Samples.fourGpus(), 100));
  }

  @Test
  void aMachineWith512CoresIn16NodesStaysBelowAHundredLines() {
    assertThat(tree(Samples.large(2, 8), 100).lines().count()).isLessThan(60);
  }

  @Test
  void coresThatAreAlikeAreToldOnce() {
    assertThat(tree(Samples.large(1, 1), 100))
        .contains("4 × L3 32 MiB, each 8 cores × 2 threads")
        .containsOnlyOnce("cores ×");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 100, 160})
  void noLineIsLongerThanTheTerminal(int width) throws IOException {
    assertFits(Samples.twoSockets(), width);
    assertFits(Samples.fourGpus(), width);
    assertFits(Samples.large(2, 8), width);
    assertFits(Samples.hostile(), width);
  }

  @Test
  void recordedMachinesFitTheTerminal() throws IOException {
    for (Topology machine : Samples.shared().values()) {
      assertFits(machine, 80);
      assertThat(tree(machine, 80).lines().count()).isLessThan(120);
    }
  }

  private static void assertFits(Topology machine, int width) {
    assertThat(tree(machine, width).lines())
        .allSatisfy(
            line -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(width));
  }

  @Test
  void aTerminalIsNeverSentWhatItWouldObey() {
    assertThat(tree(Samples.hostile(), 100)).doesNotContainPattern("[\\p{Cntrl}\\p{Cf}&&[^\n]]");
  }

  @Test
  void coloursChangeNothingElse() {
    String coloured = Style.painted(new TreeText(Style.ANSI, 100).write(Samples.twoSockets()));
    assertThat(coloured).contains("\u001b[31;1mDOWN");
    assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll("(?m) +$", ""))
        .isEqualTo(tree(Samples.twoSockets(), 100));
  }

  @Test
  void whatIsLeftOutIsSaid() {
    assertThat(tree(Samples.large(70, 1), 100)).contains("only 64 of 70 packages are shown");
  }
}
