package dev.holdfast.cli.command;

import dev.holdfast.bench.posted.KernelCase;
import dev.holdfast.bench.posted.KernelScore;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How often is a line of a kernel log decoded as its maker means it? */
final class BenchKernel {
  private BenchKernel() {}

  static void measure(
      Console console, Map<String, @Nullable Object> tree, StringBuilder text, Path file) {
    KernelScore score;
    try {
      score = KernelScore.of(KernelCase.read(file.toString(), Files.readString(file)));
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": " + unreadable.getMessage(), unreadable);
    }
    tree.put("kernel", BenchPosted.tell(console, text, "lines", score.rows()));
    tree.put("kernelMisses", score.misses());
    score.misses().forEach(one -> text.append("  ").append(one).append('\n'));
  }
}
