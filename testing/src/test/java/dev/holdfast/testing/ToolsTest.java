package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

final class ToolsTest {
  @Test
  void findsProgramOnThePath() {
    assertThat(new Tools(Map.of("PATH", "/nowhere::/bin")).find("sh", "dash"))
        .isEqualTo(Path.of("/bin/sh"));
  }

  @Test
  void absenceSkipsWithThePackageThatBringsTheProgram() {
    assertThatThrownBy(() -> new Tools(Map.of("PATH", "/bin")).find("no-such-tool", "some-package"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no-such-tool (apt-get install some-package)");
  }

  @Test
  void absenceFailsWhereToolsAreRequired() {
    assertThatThrownBy(
            () -> new Tools(Map.of(Tools.REQUIRE, "true")).find("no-such-tool", "some-package"))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("forbids skipping");
  }
}
