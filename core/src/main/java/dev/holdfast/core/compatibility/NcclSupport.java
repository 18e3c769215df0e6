package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/** The oldest NCCL that knows a GPU. */
public record NcclSupport(Version capability, Version nccl, String source) {
  private static final List<NcclSupport> ALL =
      Table.read(
          NcclSupport.class,
          "nccl-architecture.tsv",
          row ->
              new NcclSupport(
                  Version.of(row.text("capability")),
                  Version.of(row.text("nccl")),
                  row.text("source")));

  public static List<NcclSupport> all() {
    return ALL;
  }

  /** What a GPU needs: the row of the newest capability that is not newer than its own. */
  public static Optional<NcclSupport> of(Version capability) {
    return ALL.stream()
        .filter(entry -> capability.atLeast(entry.capability))
        .max((left, right) -> left.capability.compareTo(right.capability));
  }
}
