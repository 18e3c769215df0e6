package dev.holdfast.core.compatibility;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Optional;

/** What a TensorFlow release was tested with on GPUs. */
public record TensorFlowRelease(
    Version tensorflow,
    Version firstPython,
    Version lastPython,
    Version cudnn,
    Version cuda,
    String source) {
  private static final List<TensorFlowRelease> ALL =
      Table.read(
          TensorFlowRelease.class,
          "tensorflow.tsv",
          row ->
              new TensorFlowRelease(
                  Version.of(row.text("tensorflow")),
                  Version.of(row.text("firstPython")),
                  Version.of(row.text("lastPython")),
                  Version.of(row.text("cudnn")),
                  Version.of(row.text("cuda")),
                  row.text("source")));

  public static List<TensorFlowRelease> all() {
    return ALL;
  }

  public static Optional<TensorFlowRelease> of(Version tensorflow) {
    return ALL.stream().filter(entry -> tensorflow.isOf(entry.tensorflow)).findFirst();
  }
}
