package dev.holdfast.launch.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tests of the Python package, run by a real Python. */
class PythonPackageIT {
  private static final Pattern COUNT = Pattern.compile("Ran (\\d+) tests");

  @Test
  void thePackagesOwnTestsPass() {
    Path python = Tools.require("python3", "python3");
    CommandResult result =
        Command.of(python.toString(), "-B", "-m", "unittest", "discover", "-s", "../python/tests")
            .within(Duration.ofMinutes(3))
            .run();
    assertThat(result.exitCode()).as(result.error()).isZero();
    assertThat(COUNT.matcher(result.error()).results().map(MatchResult::group).toList())
        .hasSize(1)
        .doesNotContain("Ran 0 tests");
  }
}
