package dev.holdfast.launch.run;

/** What is done when a run is over: the report, and the reason where the platform looks for it. */
interface RunEnd {
  /**
   * @param whole whether this launcher led the job, and so knows the whole story
   */
  void tell(int exitCode, String why, boolean whole);
}
