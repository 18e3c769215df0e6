package dev.holdfast.launch.watch;

/** How busy a rank's accelerator is. */
@FunctionalInterface
public interface GpuLoad {
  GpuLoad NOT_KNOWN = _ -> -1;

  /** Percent of the last moment in which the device of this local rank worked; −1: not known. */
  int percent(int rank);
}
