package dev.holdfast.cli.command;

import dev.holdfast.bench.net.RankProcess;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** A rank that another Holdfast started here; its input says what it is to do. */
@Command(name = "rank", hidden = true, description = "A rank of a benchmark, started by another.")
final class BenchNetRankCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    try {
      RankProcess.run();
      return 0;
    } catch (IOException ended) {
      throw new HoldfastException(ErrorCode.CANNOT_MEASURE, Failures.why(ended), ended);
    }
  }
}
