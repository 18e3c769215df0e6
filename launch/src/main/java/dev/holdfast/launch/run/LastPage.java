package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.report.RunPage;
import dev.holdfast.launch.report.RunReport;
import dev.holdfast.launch.report.Timeline;
import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the page of truth when a run is over, and the reason where the platform looks for it. */
record LastPage(JobSpec spec, Path folder, Timeline timeline, RunProcess.Screen screen)
    implements RunEnd {
  /** Kubernetes shows no more of a termination message. */
  private static final int LONGEST_REASON = 4000;

  @Override
  public void tell(int exitCode, String why, boolean whole) {
    RunReport report = RunReport.of(timeline.moments());
    write("run.json", RunPage.json(report));
    write("report.html", RunPage.html(report));
    if (whole) {
      screen.show().accept("\n" + RunPage.text(report, screen.width(), screen.style()));
      screen.say().accept("the whole story: " + folder.resolve("report.html"));
    } else {
      screen.say().accept(why + "; exit code " + exitCode);
    }
    if (exitCode != 0) {
      String reason = why.length() > LONGEST_REASON ? why.substring(0, LONGEST_REASON) : why;
      for (String file : spec.here().failureFiles()) {
        reason(Path.of(file), "holdfast: " + reason + "\n");
      }
    }
  }

  private void write(String name, String text) {
    try {
      Files.createDirectories(folder);
      AtomicFile.replace(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException unwritable) {
      screen.say().accept(name + " was not written: " + unwritable.getMessage());
    }
  }

  /** Where the folder is missing the platform does not look there. */
  private void reason(Path file, String text) {
    try {
      if (file.getParent() != null && Files.isDirectory(file.getParent())) {
        Files.writeString(file, text);
      }
    } catch (IOException unwritable) {
      screen.say().accept("the reason was not written to " + file + ": " + unwritable.getMessage());
    }
  }
}
