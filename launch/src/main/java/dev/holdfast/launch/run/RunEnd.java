package dev.holdfast.launch.run;

/** What is done when a run is over: the report, and the reason where the platform looks for it. */
interface RunEnd {
  void tell(int exitCode, String why);
}
