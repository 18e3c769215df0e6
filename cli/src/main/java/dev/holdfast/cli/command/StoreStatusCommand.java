package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.store.manage.StatusSocket;
import dev.holdfast.store.manage.StatusText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Say who is connected to a store on this machine and who waits for what. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Say who is connected to a store of this machine, who waits for what and since when.")
final class StoreStatusCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--port", paramLabel = "PORT", description = "Which store. Default: 29500.")
  private int port = StoreCommand.DEFAULT_PORT;

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
    Path socket = StoreCommand.socket(port);
    try {
      String json = StatusSocket.ask(socket);
      console.answer(format == Format.JSON ? json : StatusText.of(json));
      return 0;
    } catch (IOException e) {
      throw new HoldfastException(
          ErrorCode.NO_STORE,
          "no store of yours serves port " + port + " here (" + socket + ")",
          e);
    }
  }
}
