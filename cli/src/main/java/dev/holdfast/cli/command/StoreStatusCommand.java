package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.manage.StatusText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Say who is connected to a store and who waits for what. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Say who is connected to a store, who waits for what and since when, and who does not.")
final class StoreStatusCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private final StoreChoice choice = new StoreChoice();

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private Format format = Format.TABLE;

  /** How the answer is written. */
  enum Format {
    TABLE,
    JSON
  }

  StoreStatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<Map<String, @Nullable Object>> stores = new ArrayList<>();
    int[] reached = {0};
    choice.each(
        console,
        store -> {
          stores.addAll(store.status(choice.port));
          reached[0]++;
        });
    if (stores.isEmpty() && (choice.port != 0 || reached[0] == 0)) {
      throw choice.none();
    }
    console.answer(format == Format.JSON ? json(stores) : table(stores));
    return 0;
  }

  private static String json(List<Map<String, @Nullable Object>> stores) {
    return Json.pretty(
        stores.size() == 1
            ? stores.getFirst()
            : Json.map("schema", "holdfast.stores/1", "stores", stores));
  }

  private static String table(List<Map<String, @Nullable Object>> stores) {
    return stores.isEmpty()
        ? "no attempt is open\n"
        : stores.stream().map(StatusText::of).collect(Collectors.joining("\n"));
  }
}
