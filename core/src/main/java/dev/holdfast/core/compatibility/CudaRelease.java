package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/**
 * Which driver a CUDA release needs.
 *
 * <p>Two limits matter. With {@code driver} or newer everything works. From {@code floor} on, the
 * same major release still runs (minor version compatibility), without code that is compiled at run
 * time from PTX of the newer toolkit. Below the floor nothing runs, unless a forward-compatibility
 * package brings its own user-mode driver.
 */
public record CudaRelease(Version cuda, Version driver, Version floor, String source) {
  private record Floor(Version major, Version driver) {}

  private static final List<Floor> FLOORS =
      Table.read(
          CudaRelease.class,
          "cuda-floor.tsv",
          row -> new Floor(Version.of(row.text("major")), Version.of(row.text("driver"))));

  private static final List<CudaRelease> ALL =
      Table.read(
          CudaRelease.class,
          "cuda-toolkit.tsv",
          row -> {
            Version cuda = Version.of(row.text("cuda"));
            Version driver = Version.of(row.text("driver"));
            return new CudaRelease(cuda, driver, floor(cuda).orElse(driver), row.text("source"));
          });

  public static List<CudaRelease> all() {
    return ALL;
  }

  /** The release of a version such as 12.4.1. */
  public static Optional<CudaRelease> of(Version cuda) {
    return ALL.stream().filter(entry -> cuda.isOf(entry.cuda)).findFirst();
  }

  /** The oldest driver on which anything made with this CUDA runs; empty for unknown releases. */
  public static Optional<Version> leastDriver(Version cuda) {
    return of(cuda).map(CudaRelease::floor).or(() -> floor(cuda));
  }

  /** The newest release whose programs run on a driver. */
  public static Optional<CudaRelease> newestFor(Version driver) {
    return ALL.stream()
        .filter(entry -> driver.atLeast(entry.floor))
        .max((left, right) -> left.cuda.compareTo(right.cuda));
  }

  private static Optional<Version> floor(Version cuda) {
    return FLOORS.stream()
        .filter(entry -> entry.major.major() == cuda.major())
        .map(Floor::driver)
        .findFirst();
  }
}
