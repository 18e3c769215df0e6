package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence is gathered of what went wrong, and of nothing else. */
class RunEndIT {
  private static final String EVIDENCE = "the evidence in one file";

  @TempDir Path folder;

  private String run(int expected, String script) {
    TestConsole console = new TestConsole();
    int code =
        console.runProgram(
            "run",
            "--standalone",
            "--nproc-per-node=2",
            "--log-dir=" + folder.resolve("logs"),
            "--",
            "/bin/sh",
            "-c",
            script);
    assertThat(code).as(console.err()).isEqualTo(expected);
    return console.out() + console.err();
  }

  @RepeatedTest(3)
  void aJobThatEndsWellLeavesNone() {
    assertThat(run(0, "exit 0")).contains("all ranks ended well").doesNotContain(EVIDENCE);
  }

  @Test
  void aJobThatFailsLeavesSome() {
    assertThat(run(1, "exit $RANK")).contains(EVIDENCE);
  }
}
