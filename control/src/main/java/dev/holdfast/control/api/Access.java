package dev.holdfast.control.api;

import dev.holdfast.control.access.Attempts;
import dev.holdfast.control.access.Caller;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Grant;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.api.gate.Body;
import dev.holdfast.control.api.gate.Gate;
import dev.holdfast.control.api.gate.Turns.Turn;
import dev.holdfast.core.text.Json;
import dev.holdfast.os.server.Token;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Who asks, and may he? Somebody without a token may look from this machine, unless that is not
 * wanted; everything else needs a token that allows it.
 */
final class Access {
  private static final String SCHEME = "Bearer ";
  private static final Header CLOSE = HeaderValues.CONNECTION_CLOSE;
  private static final HeaderName CHALLENGE = HeaderNames.create("WWW-Authenticate");

  /** Whoever passes requests on for others says so in one of these. */
  private static final List<HeaderName> PASSED_ON =
      List.of(
          HeaderNames.create("Forwarded"),
          HeaderNames.create("X-Forwarded-For"),
          HeaderNames.create("X-Real-IP"),
          HeaderNames.create("Via"));

  /** An agent that reports and asks has a few in a second; beyond 50 it is broken or hostile. */
  private static final int REQUESTS_OF_AGENT = 3_000;

  private final Entrance entrance;
  private final Gate gate;
  private final Clock clock;
  private final Attempts attempts = new Attempts(Attempts.WRONG_TOKENS);
  private final Attempts refusals = new Attempts(Attempts.WRONG_TOKENS);
  private final Attempts asked = new Attempts(REQUESTS_OF_AGENT);

  Access(Entrance entrance, Gate gate, Clock clock) {
    this.entrance = entrance;
    this.gate = gate;
    this.clock = clock;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/me", "Who asks, and what he may", "holdfast.me/1", List.of(), Access::me));
  }

  private static void me(ServerRequest request, ServerResponse response) {
    Caller caller = caller(request);
    Answers.json(
        response,
        Json.map(
            "schema", "holdfast.me/1",
            "name", caller.name(),
            "role", Grant.word(caller.role()),
            "known", !caller.equals(Caller.HERE)));
  }

  /** The name of whoever asks, as it stands in records of decisions. */
  static String actor(ServerRequest request) {
    return caller(request).name();
  }

  static Caller caller(ServerRequest request) {
    return request.context().get(Caller.class).orElse(Caller.NOBODY);
  }

  /** Whether what let somebody in still does; for answers that take their time. */
  static boolean stands(ServerRequest request) {
    return request.context().get(Standing.class).map(it -> it.holds().getAsBoolean()).orElse(true);
  }

  private record Standing(BooleanSupplier holds) {}

  /** Lets only those through who may. */
  Handler guard(Endpoint endpoint) {
    return (request, response) -> {
      if (endpoint.mostBody() > 0) {
        response.header(CLOSE); // whoever is refused has sent his body for nothing
      }
      Optional<Caller> caller = caller(endpoint, request, response);
      if (caller.isPresent()
          && may(caller.get(), endpoint, request, response)
          && notTooOften(caller.get(), response)) {
        request.context().register(caller.get());
        answer(caller.get(), endpoint, request, response);
      }
    };
  }

  private void answer(
      Caller caller, Endpoint endpoint, ServerRequest request, ServerResponse response)
      throws Exception {
    if (endpoint.mostBody() > 0) {
      try (Body body = Body.read(request, endpoint.mostBody(), gate)) {
        request.context().register(body);
        response.headers().remove(HeaderNames.CONNECTION);
        endpoint.handler().handle(request, response);
      } catch (Body.Refused refused) {
        Answers.error(response, refused.status(), String.valueOf(refused.getMessage()));
      }
    } else if (endpoint.role() == Role.VIEWER && !endpoint.lasting()) {
      inTurn(caller, endpoint, request, response);
    } else {
      endpoint.handler().handle(request, response);
    }
    if (acts(endpoint)) {
      write(caller, request, response.status().code(), "");
    }
  }

  /** What is only looked at may cost a lot to make; reports and acts do not wait for it. */
  private void inTurn(
      Caller caller, Endpoint endpoint, ServerRequest request, ServerResponse response)
      throws Exception {
    String who =
        caller.equals(Caller.HERE)
            ? "without a token from " + Gate.address(request.remotePeer().address())
            : "token " + caller.name();
    Optional<Turn> turn = gate.turns().take(who);
    if (turn.isEmpty()) {
      Answers.busy(response, "too many questions wait to be answered; ask fewer at once");
      return;
    }
    try (Turn mine = turn.get()) {
      request.context().register(mine); // it is over as soon as the answer is made
      endpoint.handler().handle(request, response);
    }
  }

  private boolean notTooOften(Caller caller, ServerResponse response) {
    boolean tooOften =
        caller.role() == Role.AGENT && asked.tooMany(caller.name(), System.nanoTime());
    if (tooOften) {
      response.header(HeaderNames.RETRY_AFTER, "10");
      Answers.error(
          response, 429, "more than %d requests in a minute".formatted(REQUESTS_OF_AGENT));
    }
    return !tooOften;
  }

  /** What agents tell is in the journal; what people do is told of here, too. */
  private static boolean acts(Endpoint endpoint) {
    return !endpoint.method().equals(Method.GET)
        && (endpoint.role() == Role.OPERATOR || endpoint.role() == Role.ADMIN);
  }

  /** Remembers who did what. */
  void write(Caller who, ServerRequest request, int outcome, String why) {
    entrance
        .audit()
        .add(
            clock.instant(),
            who,
            peer(request),
            request.prologue().method().text() + " " + request.path().absolute().path(),
            outcome,
            why);
  }

  /** Told of, but only so often for each address. */
  private void refuse(
      Caller who, ServerRequest request, ServerResponse response, int status, String why) {
    if (!refusals.tooMany(Gate.address(request.remotePeer().address()), System.nanoTime())) {
      write(who, request, status, why);
    }
    Answers.error(response, status, why);
  }

  /** Counts a wrong token of a request that brings it otherwise than in its header. */
  void wrongToken(ServerRequest request, ServerResponse response, int status, String why) {
    boolean tooMany =
        attempts.tooMany(Gate.address(request.remotePeer().address()), System.nanoTime());
    refuse(
        Caller.NOBODY, request, response, tooMany ? 429 : status, tooMany ? tooMany(request) : why);
  }

  private static String tooMany(ServerRequest request) {
    return "too many wrong tokens from " + peer(request) + "; wait a minute";
  }

  /** Nobody: a token was brought and is wrong, which has been answered. */
  private Optional<Caller> caller(
      Endpoint endpoint, ServerRequest request, ServerResponse response) {
    if (endpoint.role() == Role.ANYONE) {
      return Optional.of(Caller.NOBODY);
    }
    List<String> said = request.headers().values(HeaderNames.AUTHORIZATION);
    if (said.isEmpty()) {
      return Optional.of(here(request) && !entrance.strict() ? Caller.HERE : Caller.NOBODY);
    }
    Optional<Caller> known = Optional.empty();
    if (said.size() == 1 && said.getFirst().regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      String token = said.getFirst().substring(SCHEME.length()).strip();
      known = Token.wellFormed(token) ? entrance.tokens().caller(token) : Optional.empty();
      request.context().register(new Standing(() -> entrance.tokens().caller(token).isPresent()));
    }
    if (known.isEmpty()) {
      response.header(CHALLENGE, "Bearer");
      wrongToken(
          request,
          response,
          401,
          "this token is unknown, revoked or expired; an admin makes one with `holdfast token"
              + " create`");
    }
    known.ifPresent(it -> gate.known(request.remotePeer().address(), it));
    return known;
  }

  private boolean may(
      Caller caller, Endpoint endpoint, ServerRequest request, ServerResponse response) {
    if (caller.role().may(endpoint.role()) || ownFindings(caller, endpoint, request)) {
      return true;
    }
    String needed = Grant.word(endpoint.role());
    if (caller.equals(Caller.HERE) || caller.equals(Caller.NOBODY)) {
      response.header(CHALLENGE, "Bearer");
      refuse(
          caller,
          request,
          response,
          401,
          "this needs the token of an %s: give it with --token-file or HOLDFAST_SERVER_TOKEN"
              .formatted(needed)
              .replace("an viewer", "a viewer"));
    } else {
      refuse(
          caller,
          request,
          response,
          403,
          "%s has the role %s; this needs the role %s"
              .formatted(caller.name(), Grant.word(caller.role()), needed));
    }
    return false;
  }

  /** An agent that lost what it knew asks what is believed of its own node. */
  private static boolean ownFindings(Caller caller, Endpoint endpoint, ServerRequest request) {
    return caller.role() == Role.AGENT
        && endpoint.method().equals(Method.GET)
        && endpoint.path().equals("/findings")
        && request.query().all("node", List::of).size() == 1
        && caller.speaksFor("node/" + request.query().get("node"));
  }

  /** Whether somebody of this machine asks for himself. */
  private static boolean here(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress address
        && address.getAddress() != null
        && address.getAddress().isLoopbackAddress()
        && PASSED_ON.stream().noneMatch(it -> request.headers().contains(it));
  }

  static String peer(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress address
            && address.getAddress() != null
        ? address.getAddress().getHostAddress()
        : request.remotePeer().host();
  }
}
