package dev.holdfast.control.api;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.api.gate.Doorkeeper;
import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.api.gate.GateLimits;
import dev.holdfast.control.api.gate.NoRoom;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.RequestBoard;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.slurm.SlurmLink;
import dev.holdfast.control.web.Pages;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.os.process.Exhaustion;
import dev.holdfast.os.process.Heartbeats;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The port of the control plane: API, events, page. */
public final class ApiServer implements AutoCloseable {
  private final WebServer server;
  private final Access access;
  private final List<Endpoint> endpoints;
  private final List<Endpoint> beside;
  private final Gate gate;
  private final EventRoutes events;
  private final RequestBoard board;

  public ApiServer(
      Engine engine,
      Liveness liveness,
      Supplier<Policy> policy,
      Collection<KnownCheck> known,
      Notary notary,
      Entrance entrance,
      Supplier<Optional<SlurmLink>> slurm,
      String host,
      int port,
      Clock clock,
      Heartbeats heartbeats) {
    ServerErrors.listen();
    this.gate = new Gate(GateLimits.ofProcess(entrance.identity().isPresent()));
    this.events = new EventRoutes(gate);
    this.access = new Access(entrance, gate, clock);
    this.board = new RequestBoard(engine.state());
    engine.listen(board::durable);
    engine.listen(events::durable);
    Introductions introductions = new Introductions(engine, clock);
    this.endpoints =
        Stream.of(
                access.endpoints(),
                new TokenRoutes(entrance, access, engine, introductions).endpoints(),
                new ReadRoutes(engine.state(), clock).endpoints(),
                new PageRoutes(engine.state(), policy, known, clock).endpoints(),
                new SlurmRoutes(slurm).endpoints(),
                new WriteRoutes(engine).endpoints(),
                new ReportRoutes(engine, liveness, board, introductions).endpoints(),
                new JournalRoutes(engine).endpoints(),
                new EvidenceRoutes(engine, notary, clock).endpoints(),
                events.endpoints(),
                List.of(
                    Endpoint.get(
                        "/openapi.json", "This API as a document", "", List.of(), this::openApi)))
            .flatMap(List::stream)
            .toList();
    this.beside =
        Stream.of(
                new MetricsRoutes(engine, gate, events::listeners, slurm, clock).endpoints(),
                new Health(engine, heartbeats).endpoints())
            .flatMap(List::stream)
            .toList();
    Doorkeeper door = new Doorkeeper(gate);
    var builder = door.limit(WebServer.builder(), ReportRoutes.MOST_BYTES);
    entrance.identity().map(Encryption::of).ifPresent(builder::tls);
    this.server =
        builder
            .host(host)
            .port(port)
            .shutdownHook(false)
            .routing(
                routing ->
                    routing
                        .error(OutOfMemoryError.class, (_, _, it) -> Exhaustion.endIfExhausted(it))
                        .error(
                            NoRoom.class,
                            (_, to, it) -> {
                              if (to instanceof RoutingResponse begun) {
                                begun.reset(); // nothing of it was sent
                              }
                              Answers.busy(to, String.valueOf(it.getMessage()));
                            })
                        .addFilter(door)
                        .addFilter(new Counting(engine.meters()))
                        .addFilter(new Neighbours(entrance))
                        .register("/api/v1", rules -> register(rules, endpoints))
                        .register("/", rules -> register(rules, beside))
                        .register("/", new Pages()))
            .build()
            .start();
    if (!server.isRunning()) {
      throw new UncheckedIOException(
          new BindException(host + ":" + port + " cannot be served; is it taken?"));
    }
    gate.start(heartbeats);
  }

  private void register(HttpRules rules, List<Endpoint> some) {
    some.forEach(it -> rules.route(it.method(), it.path(), access.guard(it)));
  }

  private void openApi(ServerRequest request, ServerResponse response) {
    Answers.json(response, new OpenApi().document(endpoints, beside));
  }

  /** All that can be asked. */
  List<Endpoint> endpoints() {
    return endpoints;
  }

  /** What can be asked beside the API, at the root. */
  List<Endpoint> beside() {
    return beside;
  }

  /** What is asked of whom, and durable. */
  public RequestBoard board() {
    return board;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    events.close();
    board.close();
    server.stop();
    gate.close();
  }
}
