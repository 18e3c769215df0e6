package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a PyTorch release is published for: Python versions, CUDA and ROCm. */
public record PyTorchRelease(
    Version torch,
    Version firstPython,
    Version lastPython,
    List<Version> cuda,
    List<Version> experimentalCuda,
    Version rocm,
    String source) {
  private static final List<PyTorchRelease> ALL =
      Table.read(
          PyTorchRelease.class,
          "pytorch.tsv",
          row ->
              new PyTorchRelease(
                  Version.of(row.text("torch")),
                  Version.of(row.text("firstPython")),
                  Version.of(row.text("lastPython")),
                  row.words("cuda").stream().map(Version::of).toList(),
                  row.words("experimentalCuda").stream().map(Version::of).toList(),
                  Version.of(row.text("rocm")),
                  row.text("source")));

  public PyTorchRelease {
    cuda = List.copyOf(cuda);
    experimentalCuda = List.copyOf(experimentalCuda);
  }

  public static List<PyTorchRelease> all() {
    return ALL;
  }

  /** The release of a version such as 2.7.1+cu128. */
  public static Optional<PyTorchRelease> of(Version torch) {
    return ALL.stream().filter(entry -> torch.isOf(entry.torch)).findFirst();
  }

  public boolean supportsPython(Version python) {
    Version release = python.release();
    return release.atLeast(firstPython) && lastPython.atLeast(release);
  }

  /** Every CUDA its wheels come with, oldest first. */
  public List<Version> everyCuda() {
    return Stream.concat(cuda.stream(), experimentalCuda.stream()).sorted().toList();
  }
}
