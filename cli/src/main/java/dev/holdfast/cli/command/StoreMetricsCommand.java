package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Write the counters of a store for Prometheus. */
@Command(
    name = "metrics",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Write the counters of one store process in Prometheus's text form.")
final class StoreMetricsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private final StoreChoice choice = new StoreChoice();

  StoreMetricsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<String> texts = new ArrayList<>();
    choice.each(
        console,
        store -> {
          if (choice.port == 0 || !store.status(choice.port).isEmpty()) {
            texts.add(store.metrics());
          }
        });
    if (texts.isEmpty()) {
      throw choice.none();
    }
    if (texts.size() > 1) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          texts.size() + " stores of yours run here; name one with --port or --socket");
    }
    console.document(texts.getFirst());
    return 0;
  }
}
