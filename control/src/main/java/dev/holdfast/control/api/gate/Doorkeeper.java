package dev.holdfast.control.api.gate;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a web server report each connection and request to a gate, and keep its limits. */
public final class Doorkeeper implements Filter {
  private static final int MOST_LINE = 2 * 1024;
  private static final int MOST_HEADERS = 8 * 1024;
  private static final int BACKLOG = 4_096;

  private final Gate gate;

  public Doorkeeper(Gate gate) {
    this.gate = gate;
  }

  /**
   * Sets the limits of a server, all but those of its endpoints.
   *
   * @param mostBody bytes of the largest body any endpoint takes
   */
  public WebServerConfig.Builder limit(WebServerConfig.Builder server, long mostBody) {
    return server
        .connectionOptions(new Arriving(SocketOptions.create(), gate))
        .backlog(BACKLOG)
        .maxPayloadSize(mostBody)
        .protocolsDiscoverServices(false) // or HTTP is there twice, once without our limits
        .addProtocol(
            Http1Config.builder()
                .maxPrologueLength(MOST_LINE)
                .maxHeadersSize(MOST_HEADERS)
                .build());
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    SocketAddress remote = request.remotePeer().address();
    if (remote == null) {
      // Whoever was sent away has no address any more, and nobody waits for the answer.
      throw new CloseConnectionException("gone");
    }
    gate.answering(remote);
    // Whoever sends a hundred questions at once would keep a processor until the last is answered.
    Thread.yield();
    List<Outgoing> outgoing = new ArrayList<>(1);
    response.streamFilter(
        out -> {
          outgoing.add(new Outgoing(out, gate, remote, request, response));
          return outgoing.getLast();
        });
    try {
      if (request.headers().contains(HeaderNames.TRANSFER_ENCODING)) {
        refuse(response, Status.LENGTH_REQUIRED_411, "say how long the body is: Content-Length");
      } else if (bodiless(request) && Body.announced(request)) {
        refuse(response, Status.BAD_REQUEST_400, "nothing is taken with this request");
      } else {
        chain.proceed();
      }
    } finally {
      // Helidon does not close the stream of a connection that is lost.
      outgoing.forEach(Outgoing::giveBack);
      gate.answered(remote);
    }
    if (request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)
        || response.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      linger(request, remote);
      // Helidon says that it closes, and then goes on with what follows as with a next request.
      throw new CloseConnectionException("answered");
    }
  }

  /** Whoever is refused while he still sends would find a reset connection instead of our words. */
  private void linger(RoutingRequest request, SocketAddress remote) {
    boolean counted = request.headers().contentLength().orElse(0) > 0;
    if (counted && !request.content().consumed()) {
      gate.lingering(remote);
      try (InputStream rest = request.content().inputStream()) {
        rest.skip(Long.MAX_VALUE);
      } catch (IOException | RuntimeException gone) {
        // he has left, or was sent away
      }
    }
  }

  private static boolean bodiless(RoutingRequest request) {
    Method method = request.prologue().method();
    return !method.equals(Method.POST) && !method.equals(Method.PUT);
  }

  private static void refuse(RoutingResponse response, Status status, String why) {
    response.status(status).header(HeaderNames.CONNECTION, "close").send(why);
    response.commit(); // a filter's answer does not go out by itself
  }

  /** The options of accepted connections, set at the one moment each of them passes. */
  private record Arriving(SocketOptions options, Gate gate) implements SocketOptions {
    @Override
    public void configureSocket(SocketChannel channel) {
      options.configureSocket(channel);
      try {
        gate.arrived(channel);
      } catch (IOException gone) {
        throw new UncheckedIOException(gone);
      }
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
      return options.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
      return options.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
      return options.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
      return options.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
      return options.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
      return options.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
      return options.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
      return options.tcpNoDelay();
    }
  }
}
