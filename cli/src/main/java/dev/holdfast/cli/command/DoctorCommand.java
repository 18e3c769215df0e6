package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.node.LiveNode;
import dev.holdfast.doctor.node.LiveProbes;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.report.JsonReport;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.report.TableReport;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.place.Places;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Is this node fit to join a run, and if not, what is wrong and how is it fixed? */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Examine this node: what is wrong, the evidence, the fix.")
final class DoctorCommand implements Callable<Integer> {
  enum Format {
    TABLE,
    JSON
  }

  private final Console console;

  @Option(names = "--level", paramLabel = "LEVEL", description = "passive, quick or full")
  private Level level = Level.PASSIVE;

  @Option(names = "--from", paramLabel = "SNAPSHOT|DIR", description = "A recorded node instead.")
  private @Nullable Path from;

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json")
  private Format format = Format.TABLE;

  @Option(names = "--fail-on", paramLabel = "SEVERITY", description = "fatal, degraded, warning")
  private Severity failOn = Severity.DEGRADED;

  @Option(names = "--all", description = "List every check, not only what is wrong.")
  private boolean all;

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Site site = Site.none(LocalDate.now(ZoneOffset.UTC));
    Doctor doctor = new Doctor(Checks.all(), site, Duration.ofSeconds(5), Duration.ofSeconds(20));
    NodeView node =
        from == null
            ? new LiveNode(new LiveProbes(Places.ofThisProcess()))
            : RecordedFolder.open(from);
    Report report = doctor.examine(node, level).report();
    console.answer(
        switch (format) {
          case JSON -> JsonReport.write(report);
          case TABLE -> new TableReport(console.style(), console.width(), all).write(report);
        });
    return report.failsOn(failOn) ? 1 : 0;
  }
}
