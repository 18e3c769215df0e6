package dev.holdfast.store.manage;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.net.Deadline;
import dev.holdfast.store.attempts.Lease;
import dev.holdfast.store.attempts.OpenOrder;
import dev.holdfast.store.attempts.StoreRefused;
import dev.holdfast.store.ranks.RankName;
import dev.holdfast.store.ranks.RankState;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Manages a store from another process. The connection is made with the first request, kept, and
 * made anew with the next request after anything went wrong; nothing is asked twice by itself.
 * Every request ends within the deadline. What the store will not do is a {@link StoreRefused},
 * anything else an {@link IOException}. Safe for several threads, one request at a time.
 */
public final class StoreClient implements AutoCloseable {
  /** Ten thousand connections are about three megabytes. */
  private static final int LONGEST_ANSWER = 128 << 20;

  private static final int LONGEST_HELLO = 4096;

  private final Supplier<SocketAddress> where;
  private final String place;
  private final @Nullable Token token;
  private final Duration deadline;
  private @Nullable LineChannel lines;
  private long id;

  private StoreClient(
      Supplier<SocketAddress> where, String place, @Nullable Token token, Duration deadline) {
    this.where = where;
    this.place = place;
    this.token = token;
    this.deadline = deadline;
  }

  /** Over the socket a store of the same user told of. */
  public static StoreClient unix(Path socket, Duration deadline) {
    return new StoreClient(
        () -> UnixDomainSocketAddress.of(socket), socket.toString(), null, deadline);
  }

  /** Over TCP, with the token of the store. */
  public static StoreClient tcp(String host, int port, Token token, Duration deadline) {
    return new StoreClient(
        () -> new InetSocketAddress(host, port), host + ":" + port, token, deadline);
  }

  /** Opens the store of an attempt; returns its port. Asked again, it is the same. */
  public int open(OpenOrder order) throws IOException {
    return ask(Json.map(
            "request",
            "open",
            "job",
            order.job(),
            "attempt",
            order.attempt(),
            "term",
            order.term(),
            "world",
            order.world(),
            "allowed",
            order.allowed(),
            "ranks",
            order.ranks().stream().map(RankName::json).toList()))
        .integer("port");
  }

  /** Ends the store of an attempt: from then on its port is closed and nothing of it is left. */
  public void close(String job, int attempt, long term) throws IOException {
    ask(Json.map("request", "close", "job", job, "attempt", attempt, "term", term));
  }

  /** Tells which processes are which ranks. */
  public void name(String job, int attempt, List<RankName> ranks) throws IOException {
    ask(
        Json.map(
            "request",
            "name",
            "job",
            job,
            "attempt",
            attempt,
            "ranks",
            ranks.stream().map(RankName::json).toList()));
  }

  /**
   * Claims the job for a holder. Granted, the term is greater than any before, unless the holder
   * names the term it holds already; not granted, it says who holds the job and for how long.
   *
   * @param wanted the term the holder has or wants at least; 0: any
   */
  public Lease claim(String job, String holder, long wanted, Duration lease) throws IOException {
    return lease("claim", job, holder, wanted, lease);
  }

  /** Goes on holding the job; refused (stale-term) when somebody else holds it now. */
  public Lease renew(String job, String holder, long term, Duration lease) throws IOException {
    return lease("renew", job, holder, term, lease);
  }

  /** Gives the job back. */
  public void release(String job, String holder, long term) throws IOException {
    ask(Json.map("request", "release", "job", job, "holder", holder, "term", term));
  }

  private Lease lease(String what, String job, String holder, long term, Duration lease)
      throws IOException {
    Fields answer =
        ask(
            Json.map(
                "request",
                what,
                "job",
                job,
                "holder",
                holder,
                "term",
                term,
                "leaseSeconds",
                Math.max(1, lease.toSeconds())));
    return new Lease(
        answer.flag("granted"),
        answer.number("term"),
        answer.text("holder", ""),
        Duration.ofMillis(Math.round(answer.decimal("remainingSeconds", 0) * 1000)));
  }

  /** What the store of an attempt sees of every rank it can name; none when it is not open. */
  public List<RankState> ranks(String job, int attempt) throws IOException {
    Fields answer =
        ask(Json.map("request", "status", "job", job, "attempt", attempt, "brief", true));
    return answer.objects("stores").stream()
        .flatMap(store -> store.objects("ranks").stream())
        .map(RankState::of)
        .toList();
  }

  /** What can be seen of every open store, or of the one on a port, each as its JSON. */
  public List<Map<String, @Nullable Object>> status(int port) throws IOException {
    return list(Json.map("request", "status", "port", port == 0 ? null : port), "stores");
  }

  /** The jobs the store knows, each as its JSON. */
  public List<Map<String, @Nullable Object>> jobs() throws IOException {
    return list(Json.map("request", "jobs"), "jobs");
  }

  /** Its counters in Prometheus's form. */
  public String metrics() throws IOException {
    return ask(Json.map("request", "metrics")).text("text");
  }

  @SuppressWarnings("unchecked") // Json reads objects as maps by name
  private List<Map<String, @Nullable Object>> list(
      Map<String, @Nullable Object> request, String name) throws IOException {
    return answer(request).get(name) instanceof List<?> list
        ? (List<Map<String, @Nullable Object>>) list
        : List.of();
  }

  private Fields ask(Map<String, @Nullable Object> request) throws IOException {
    return Fields.of("answer", answer(request));
  }

  private synchronized Map<String, @Nullable Object> answer(Map<String, @Nullable Object> request)
      throws IOException {
    long until = System.nanoTime() + deadline.toNanos();
    request.put("id", ++id);
    Map<String, @Nullable Object> answer;
    try {
      LineChannel open = connected(until);
      open.write(Json.line(request), left(until));
      answer = Json.object(read(open, LONGEST_ANSWER, until));
    } catch (IOException | IllegalArgumentException failed) {
      disconnect();
      throw new IOException("the store at " + place + ": " + failed.getMessage(), failed);
    }
    Fields fields = Fields.of("answer", answer);
    if (fields.number("id", id) != id) {
      disconnect();
      throw new IOException("the store at " + place + " answered another request");
    }
    if (!fields.flag("ok")) {
      throw new StoreRefused(
          StoreRefused.Reason.of(fields.text("reason", "")), fields.text("why", "refused"));
    }
    return answer;
  }

  private LineChannel connected(long until) throws IOException {
    LineChannel open = lines;
    if (open != null) {
      return open;
    }
    SocketAddress address = where.get();
    if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
      throw new UnknownHostException("unknown host " + inet.getHostString());
    }
    SocketChannel channel =
        address instanceof UnixDomainSocketAddress
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    try {
      connect(channel, address, until);
      open = new LineChannel(channel);
      if (token != null) {
        hello(open, token, until);
      }
    } catch (IOException | IllegalArgumentException failed) {
      channel.close();
      throw failed;
    }
    lines = open;
    return open;
  }

  private static void connect(SocketChannel channel, SocketAddress address, long until)
      throws IOException {
    try (Deadline guard = Deadline.of(channel, left(until))) {
      try {
        channel.connect(address);
      } catch (IOException failed) {
        throw guard.passed() ? new SocketTimeoutException("no connection in time") : failed;
      }
    }
  }

  private static void hello(LineChannel lines, Token token, long until) throws IOException {
    String challenge =
        Fields.of("hello", Json.read(read(lines, LONGEST_HELLO, until))).text("challenge");
    lines.write(
        Json.line(Json.map("request", "hello", "proof", token.proof(challenge))), left(until));
    // Whoever has no right token is told nothing.
    if (lines.read(LONGEST_HELLO, left(until)).isEmpty()) {
      throw new IOException("it does not accept the token");
    }
  }

  private static String read(LineChannel lines, int longest, long until) throws IOException {
    return lines
        .read(longest, left(until))
        .orElseThrow(() -> new EOFException("it closed the connection"));
  }

  private static Duration left(long until) {
    return Duration.ofNanos(Math.max(1, until - System.nanoTime()));
  }

  private void disconnect() {
    LineChannel open = lines;
    lines = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException closed) {
        // All that was wanted.
      }
    }
  }

  @Override
  public synchronized void close() {
    disconnect();
  }
}
