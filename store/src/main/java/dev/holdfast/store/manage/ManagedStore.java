package dev.holdfast.store.manage;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import dev.holdfast.store.attempts.Attempts;
import dev.holdfast.store.attempts.PortRange;
import dev.holdfast.store.ledger.Ledger;
import dev.holdfast.store.server.Notices;
import dev.holdfast.store.server.Shared;
import dev.holdfast.store.server.StoreOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process that opens and ends a store for every attempt of its jobs, as it is told. */
public final class ManagedStore implements AutoCloseable {
  private final Options options;
  private final Notices notices;
  private final Attempts attempts;
  private final ManageServer manage;
  private final int managePort;

  /**
   * How to start it.
   *
   * @param stores the address, threads and limits of every attempt's store
   * @param state the folder of what it remembers
   * @param socket where its owner manages it
   * @param manage where whoever has the token manages it; nowhere, when null
   */
  public record Options(
      StoreOptions stores,
      PortRange range,
      Path state,
      Path socket,
      @Nullable InetSocketAddress manage,
      @Nullable Token token) {}

  private ManagedStore(
      Options options, Notices notices, Attempts attempts, ManageServer manage, int managePort) {
    this.options = options;
    this.notices = notices;
    this.attempts = attempts;
    this.manage = manage;
    this.managePort = managePort;
  }

  public static ManagedStore start(Options options, Consumer<String> log) throws IOException {
    Ledger ledger;
    try {
      ledger = Ledger.open(options.state());
    } catch (IOException unusable) {
      throw new HoldfastException(
          ErrorCode.STORE_STATE, String.valueOf(unusable.getMessage()), unusable);
    }
    Notices notices = new Notices(log, System::nanoTime);
    if (ledger.lostBytes() > 0) {
      notices.tell(
          "state",
          () ->
              "%s of %s could not be read; terms and ports go on well beyond it"
                  .formatted(Bytes.of(ledger.lostBytes()), options.state().resolve("ledger.log")));
    }
    Attempts attempts =
        new Attempts(
            ledger,
            options.range(),
            options.stores(),
            Shared.of(options.stores().limits(), notices),
            System::nanoTime);
    try {
      ManageServer manage =
          ManageServer.open(options.socket(), Requests.managed(attempts), notices);
      try {
        InetSocketAddress where = options.manage();
        Token token = options.token();
        int port = where == null || token == null ? 0 : manage.listen(where, token);
        return new ManagedStore(options, notices, attempts, manage, port);
      } catch (IOException taken) {
        manage.close();
        throw taken;
      }
    } catch (IOException cannotServe) {
      attempts.close();
      notices.close();
      throw cannotServe;
    }
  }

  /** The TCP port it is managed on; 0: none. */
  public int managePort() {
    return managePort;
  }

  /** Completed when a defect makes it useless. */
  public CompletableFuture<Throwable> failure() {
    return notices.failure();
  }

  public Attempts attempts() {
    return attempts;
  }

  /** How to reach it, for whoever started it. */
  public Map<String, @Nullable Object> ready() {
    InetSocketAddress where = options.manage();
    return Json.map(
        "schema",
        "holdfast.store-ready/1",
        "socket",
        options.socket().toAbsolutePath().toString(),
        "manage",
        where == null ? null : text(where.getAddress().getHostAddress(), managePort),
        "ports",
        options.range().toString(),
        "process",
        ProcessHandle.current().pid());
  }

  private static String text(String host, int port) {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }

  /** Ends every attempt. */
  @Override
  public void close() throws IOException {
    try {
      manage.close();
    } finally {
      attempts.close();
      notices.close();
    }
  }
}
