package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/**
 * Which CUDA releases can make programs for a GPU.
 *
 * @param lastCuda empty while newer ones still can
 */
public record GpuArchitecture(
    String name, Version capability, Version firstCuda, Optional<Version> lastCuda, String source) {
  private static final List<GpuArchitecture> ALL =
      Table.read(
          GpuArchitecture.class,
          "gpu-architecture.tsv",
          row ->
              new GpuArchitecture(
                  row.text("architecture"),
                  Version.of(row.text("capability")),
                  Version.of(row.text("firstCuda")),
                  Version.find(row.optional("lastCuda")),
                  row.text("source")));

  public static List<GpuArchitecture> all() {
    return ALL;
  }

  /** The architecture of a compute capability such as 9.0. */
  public static Optional<GpuArchitecture> of(Version capability) {
    return ALL.stream().filter(entry -> entry.capability.equals(capability)).findFirst();
  }

  /** Whether programs for this GPU can still be made with a CUDA release. */
  public boolean isDroppedBy(Version cuda) {
    return lastCuda.filter(last -> cuda.release().compareTo(last) > 0).isPresent();
  }
}
