package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/** Which PyTorch and which CANN a torch_npu for Ascend belongs to. */
public record TorchNpuRelease(Version torchNpu, Version torch, Version cann, String source) {
  private static final List<TorchNpuRelease> ALL =
      Table.read(
          TorchNpuRelease.class,
          "torch-npu.tsv",
          row ->
              new TorchNpuRelease(
                  Version.of(row.text("torchNpu")),
                  Version.of(row.text("torch")),
                  Version.of(row.text("cann")),
                  row.text("source")));

  public static List<TorchNpuRelease> all() {
    return ALL;
  }

  public static Optional<TorchNpuRelease> of(Version torchNpu) {
    return ALL.stream().filter(entry -> entry.torchNpu.equals(torchNpu)).findFirst();
  }

  /** The torch_npu releases for a PyTorch, newest last. */
  public static List<TorchNpuRelease> forTorch(Version torch) {
    return ALL.stream()
        .filter(entry -> torch.isOf(entry.torch))
        .sorted((left, right) -> left.torchNpu.compareTo(right.torchNpu))
        .toList();
  }
}
