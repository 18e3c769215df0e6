package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/**
 * Which GPUs a published PyTorch wheel carries code for.
 *
 * @param machine {@code x86_64} or {@code aarch64}
 * @param ptx the capability whose portable code newer GPUs can translate; empty when there is none
 */
public record PyTorchWheel(
    Version firstTorch,
    Version lastTorch,
    Version cuda,
    String machine,
    List<Version> capabilities,
    Optional<Version> ptx,
    String source) {
  private static final List<PyTorchWheel> ALL =
      Table.read(
          PyTorchWheel.class,
          "pytorch-architecture.tsv",
          row ->
              new PyTorchWheel(
                  Version.of(row.text("firstTorch")),
                  Version.of(row.text("lastTorch")),
                  Version.of(row.text("cuda")),
                  row.text("machine"),
                  row.words("capabilities").stream().map(Version::of).toList(),
                  Version.find(row.optional("ptx")),
                  row.text("source")));

  public PyTorchWheel {
    capabilities = List.copyOf(capabilities);
  }

  public static List<PyTorchWheel> all() {
    return ALL;
  }

  public static Optional<PyTorchWheel> find(Version torch, Version cuda, String machine) {
    Version release = torch.release();
    return ALL.stream()
        .filter(entry -> entry.machine.equals(machine) && cuda.isOf(entry.cuda))
        .filter(entry -> release.atLeast(entry.firstTorch) && entry.lastTorch.atLeast(release))
        .findFirst();
  }

  /** Wheels of a release that run on a GPU, oldest CUDA first. */
  public static List<PyTorchWheel> forGpu(Version torch, Version capability, String machine) {
    return PyTorchRelease.of(torch).map(PyTorchRelease::everyCuda).orElse(List.of()).stream()
        .map(cuda -> find(torch, cuda, machine))
        .flatMap(Optional::stream)
        .filter(wheel -> wheel.runsOn(capability))
        .toList();
  }

  /**
   * Machine code runs on the same major capability with the same or a higher minor one; portable
   * code on everything newer.
   */
  public boolean runsOn(Version capability) {
    boolean code =
        capabilities.stream()
            .anyMatch(
                made -> made.major() == capability.major() && made.minor() <= capability.minor());
    return code || ptx.filter(portable -> capability.atLeast(portable)).isPresent();
  }
}
