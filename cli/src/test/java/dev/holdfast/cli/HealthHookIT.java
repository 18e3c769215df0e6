package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.HealthHook;
import dev.holdfast.core.health.Accept;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.report.HookReport;
import dev.holdfast.doctor.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ownership rule, against a stand-in scontrol that remembers what it was told. */
class HealthHookIT {
  private static final Finding LOST =
      new Finding(
          "gpu.count",
          new Subject.Node("n1").gpu(3),
          Finding.Kind.CONDITION,
          Severity.FATAL,
          FaultClass.HARDWARE,
          Proof.RECORDED,
          "a GPU is missing",
          Optional.empty(),
          List.of(new Evidence("nvml", "7")),
          "meaning",
          "remedy");

  @TempDir Path folder;

  private final TestConsole console = new TestConsole();

  @Test
  void aBadNodeIsDrainedWithOurReason() throws IOException {
    assertThat(visit("State=IDLE", true)).contains("state=drain", "reason=holdfast: gpu.count");
  }

  @Test
  void aNodeDrainedBySomebodyElseIsNeverTouched() throws IOException {
    String theirs = "State=IDLE+DRAIN\n   Reason=bad fan, ask Ann [root@2026-01-01T00:00:00]";
    assertThat(visit(theirs, true)).isEmpty();
    assertThat(visit(theirs, false)).isEmpty();
    assertThat(console.err()).contains("left alone");
  }

  @Test
  void ourOwnDrainIsTakenBackWhenThatCheckPasses() throws IOException {
    String ours = "State=IDLE+DRAIN\n   Reason=holdfast: gpu.count gpu/3: x [root@2026-01-01]";
    assertThat(visit(ours, false)).contains("state=resume");
  }

  @Test
  void ourOwnDrainStaysWhileAnotherCheckIsNamed() throws IOException {
    String ours = "State=IDLE+DRAIN\n   Reason=holdfast: nic.link.state x [root@2026-01-01]";
    assertThat(visit(ours, false)).isEmpty();
  }

  @Test
  void aDryRunOnlySays() throws IOException {
    standIn("State=IDLE");
    new HealthHook(console.console(), true, folder.toString())
        .act(report(true), true, "holdfast: x");
    assertThat(folder.resolve("updates")).doesNotExist();
    assertThat(console.err()).contains("would run: scontrol update nodename=n1 state=drain");
  }

  @Test
  void aSchedulerThatIsAwayIsSaidAndNothingElse() throws IOException {
    Path script = folder.resolve("scontrol");
    Files.writeString(script, "#!/bin/sh\nsleep 60\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    new HealthHook(console.console(), false, folder.toString())
        .act(report(true), true, "holdfast: x");
    assertThat(console.err()).contains("cannot ask Slurm");
  }

  /** What scontrol was told to update, or nothing. */
  private String visit(String state, boolean bad) throws IOException {
    standIn(state);
    Report report = report(bad);
    String reason = HookReport.reason(report, Severity.FATAL, Accept.UNSAID);
    new HealthHook(console.console(), false, folder.toString()).act(report, bad, reason);
    Path updates = folder.resolve("updates");
    return Files.exists(updates) ? Files.readString(updates) : "";
  }

  private void standIn(String state) throws IOException {
    Files.deleteIfExists(folder.resolve("updates"));
    Path script = folder.resolve("scontrol");
    Files.writeString(
        script,
        """
        #!/bin/sh
        if [ "$1" = show ]; then
          cat <<'END'
        NodeName=n1 Arch=x86_64 CoresPerSocket=1
           %s
        END
        else
          echo "$@" >> '%s/updates'
        fi
        """
            .formatted(state, folder));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Report report(boolean bad) {
    CheckInfo info = CheckInfo.of("gpu.count", "All there?", FaultClass.HARDWARE, Proof.RECORDED);
    CheckResult result =
        new CheckResult(
            info,
            bad ? Outcome.FAIL : Outcome.PASS,
            "x",
            bad ? List.of(LOST) : List.of(),
            Duration.ZERO,
            false);
    return new Report(
        "n1", Instant.EPOCH, Level.PASSIVE, List.of(result), List.of(), Duration.ZERO);
  }
}
