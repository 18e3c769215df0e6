package dev.holdfast.launch.run;

import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.report.Timeline;
import java.nio.file.Path;

/** Writes the page of truth when a run is over, and the reason where the platform looks for it. */
record LastPage(JobSpec spec, Path folder, Timeline timeline, RunProcess.Screen screen)
    implements RunEnd {

  @Override
  public void tell(int exitCode, String why) {
    screen.say().accept(why + "; exit code " + exitCode);
  }
}
