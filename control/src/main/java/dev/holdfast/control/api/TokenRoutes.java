package dev.holdfast.control.api;

import dev.holdfast.control.access.Caller;
import dev.holdfast.control.access.Enrolment;
import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.access.Grant;
import dev.holdfast.control.access.Refusal;
import dev.holdfast.control.access.Role;
import dev.holdfast.control.access.Tokens;
import dev.holdfast.control.api.gate.Body;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.state.Cursor;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Letting people and nodes in and out, and telling who acted. */
final class TokenRoutes {
  private static final Duration ENROLMENT = Duration.ofHours(1);
  private static final int LINES = 100;
  private static final int MOST_LINES = 1_000;

  /** Of somebody who is not known yet. */
  private static final int STRANGERS_BODY = 4 * 1024;

  private final Entrance entrance;
  private final Tokens tokens;
  private final Access access;
  private final Engine engine;
  private final Introductions introductions;

  TokenRoutes(Entrance entrance, Access access, Engine engine, Introductions introductions) {
    this.entrance = entrance;
    this.tokens = entrance.tokens();
    this.access = access;
    this.engine = engine;
    this.introductions = introductions;
  }

  private interface Change {
    Map<String, @Nullable Object> make(String id, Fields body) throws Refusal, IOException;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/tokens", "Who holds a token", "holdfast.tokens/1", List.of(), this::tokens)
            .with(Role.ADMIN),
        admin("/tokens", "Make a token", "holdfast.token/1", (_, it) -> create(it)),
        admin(
            "/tokens/{id}/revoke",
            "End a token",
            "holdfast.done/1",
            (id, _) -> {
              tokens.revoke(id);
              return done();
            }),
        admin("/enrolments", "Let nodes in", "holdfast.token/1", (_, it) -> invite(it)),
        new Endpoint(
            Method.POST,
            "/nodes/{id}/reset",
            Role.ADMIN,
            "Let another machine become a node",
            "holdfast.done/1",
            List.of(),
            Endpoint.PEOPLES_BODY,
            this::reset),
        new Endpoint(
            Method.POST,
            "/enrol",
            Role.ANYONE,
            "Become the agent of a node, with an enrolment token",
            "holdfast.done/1",
            List.of(),
            STRANGERS_BODY,
            this::enrol),
        Endpoint.get(
                "/audit",
                "Who acted or tried to",
                "holdfast.audit/1",
                List.of("limit"),
                this::audit)
            .with(Role.ADMIN));
  }

  private static Endpoint admin(String path, String summary, String answer, Change change) {
    Handler handler = (request, response) -> change(change, request, response);
    return new Endpoint(
        Method.POST, path, Role.ADMIN, summary, answer, List.of(), Endpoint.PEOPLES_BODY, handler);
  }

  private static Map<String, @Nullable Object> done() {
    return Json.map("schema", "holdfast.done/1", "done", true);
  }

  /** Its token ends first, so that the machine that had it cannot begin anew in between. */
  private void reset(ServerRequest request, ServerResponse response) {
    change((id, _) -> reset(id, Access.actor(request)), request, response);
  }

  private Map<String, @Nullable Object> reset(String node, String actor)
      throws Refusal, IOException {
    String source = "node/" + node;
    boolean known =
        !engine.state().cursor(source).equals(Cursor.NOTHING)
            || engine.state().speakers(source).isPresent();
    if (!tokens.resetNode(node) && !known) {
      throw new Refusal(404, node + " is not enrolled");
    }
    try {
      var _ =
          engine
              .submit(new Input.Wished(actor, new Wish.ResetSource(source)))
              .get(WriteRoutes.PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException busy) {
      throw new Refusal(
          503, "its token is ended; what was known of it is not forgotten yet, try again");
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, "the control plane is ending");
    }
    return done();
  }

  private static void change(Change change, ServerRequest request, ServerResponse response) {
    try {
      String id = request.path().pathParameters().first("id").asOptional().orElse("");
      Answers.json(response, change.make(id, body(request)));
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, String.valueOf(wrong.getMessage()));
    } catch (Refusal refusal) {
      Answers.error(response, refusal.status(), String.valueOf(refusal.getMessage()));
    } catch (IOException full) {
      Answers.error(response, 503, "tokens cannot be written: " + full.getMessage());
    }
  }

  private static Fields body(ServerRequest request) {
    String body = Body.of(request);
    return Fields.of("body", body.isBlank() ? Map.of() : Json.object(body));
  }

  private void tokens(ServerRequest request, ServerResponse response) {
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast.tokens/1",
            "tokens",
            tokens.grants().stream().map(this::told).toList(),
            "enrolments",
            tokens.enrolments().stream().map(Enrolment::tree).toList()));
  }

  private Map<String, @Nullable Object> told(Grant grant) {
    Map<String, @Nullable Object> tree = grant.tree();
    tokens.used(grant).ifPresent(it -> tree.put("lastUsed", Times.show(it)));
    return tree;
  }

  private Map<String, @Nullable Object> create(Fields body) throws Refusal, IOException {
    return issued(
        tokens.create(
            body.text("name"),
            Grant.role(body.text("role")),
            body.text("source", ""),
            body.optionalText("expires").map(TokenRoutes::lasting)));
  }

  private Map<String, @Nullable Object> invite(Fields body) throws Refusal, IOException {
    return issued(
        tokens.invite(
            body.text("nodes", ""),
            body.integer("uses", 1),
            body.optionalText("expires").map(TokenRoutes::lasting).orElse(ENROLMENT)));
  }

  private static Duration lasting(String text) {
    Duration lasting = Durations.parse(text);
    if (!lasting.isPositive()) {
      throw new IllegalArgumentException("expires should be a time to come, such as 30d");
    }
    return lasting;
  }

  private static Map<String, @Nullable Object> issued(Tokens.Issued issued) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast.token/1");
    tree.putAll(issued.tree());
    tree.put("token", issued.token());
    return tree;
  }

  private void enrol(ServerRequest request, ServerResponse response) {
    String node = "";
    try {
      Fields body = body(request);
      node = body.text("node");
      if (tokens.enrol(body.text("token"), node, body.text("sha256"))) {
        access.write(new Caller("node/" + node, Role.AGENT, "node/" + node), request, 200, "");
      }
      Answers.json(response, done());
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, String.valueOf(wrong.getMessage()));
    } catch (Refusal refusal) {
      if (refusal instanceof Refusal.Taken) {
        introductions.claimed(node, Access.peer(request));
      }
      access.wrongToken(request, response, refusal.status(), String.valueOf(refusal.getMessage()));
    } catch (IOException full) {
      Answers.error(response, 503, "tokens cannot be written: " + full.getMessage());
    }
  }

  private void audit(ServerRequest request, ServerResponse response) {
    int limit;
    try {
      limit = request.query().first("limit").asOptional().map(Integer::parseInt).orElse(LINES);
    } catch (NumberFormatException wrong) {
      Answers.error(response, 400, "limit should be a number");
      return;
    }
    Answers.list(response, "audit", entrance.audit().recent(Math.clamp(limit, 1, MOST_LINES)));
  }
}
