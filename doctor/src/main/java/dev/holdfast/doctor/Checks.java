package dev.holdfast.doctor;

import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.gpu.GpuEccUncorrected;
import dev.holdfast.doctor.memory.MemoryAvailable;
import dev.holdfast.doctor.memory.TransparentHugePages;
import java.util.List;

/** Every built-in check, in the order in which reports show them. */
public final class Checks {
  private Checks() {}

  private static final List<Check> ALL =
      List.of(
          // accelerators
          new GpuEccUncorrected(),
          // memory
          new MemoryAvailable(),
          new TransparentHugePages());

  public static List<Check> all() {
    return ALL;
  }
}
