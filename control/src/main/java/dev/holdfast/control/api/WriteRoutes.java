package dev.holdfast.control.api;

import dev.holdfast.control.api.gate.Body;
import dev.holdfast.control.decide.Input;
import dev.holdfast.control.decide.Wish;
import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.engine.Overloaded;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What people can ask for. An answer of 200 means it is durable. */
final class WriteRoutes {
  static final long PATIENCE_SECONDS = 10;

  private final Engine engine;

  WriteRoutes(Engine engine) {
    this.engine = engine;
  }

  /** Makes a wish of what stands in the path and in the body. */
  private interface Reading {
    Wish read(String id, Fields body);
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post(
            "/nodes/{id}/drain",
            "Take a node out of service",
            on((id, it) -> new Wish.Drain(id, it.has("now") && it.flag("now"), why(it)))),
        Endpoint.post(
            "/nodes/{id}/undrain",
            "Verify a node and bring it back",
            on((id, it) -> new Wish.Undrain(id, why(it)))),
        Endpoint.post(
            "/decisions/{id}/approve",
            "Let a decision be carried out",
            on((id, it) -> new Wish.Approve(id, why(it)))),
        Endpoint.post(
            "/decisions/{id}/reject",
            "Do not carry a decision out",
            on((id, it) -> new Wish.Reject(id, why(it)))),
        Endpoint.post(
            "/decisions/{id}/wrong",
            "Mark a decision as wrong",
            on((id, it) -> new Wish.Wrong(id, why(it)))),
        Endpoint.post(
            "/notes",
            "Write a note about a subject",
            on((_, it) -> new Wish.Note(it.text("subject"), it.text("text")))),
        Endpoint.post("/pause", "Stop every action", on((_, it) -> new Wish.Pause(why(it)))),
        Endpoint.post("/resume", "Let actions go on", on((_, it) -> new Wish.Resume(why(it)))),
        Endpoint.post(
            "/guard/reset",
            "Let the guard try again",
            on((_, it) -> new Wish.ResetGuard(why(it)))));
  }

  private static String why(Fields body) {
    return body.text("why", "no reason given");
  }

  private io.helidon.webserver.http.Handler on(Reading reading) {
    return (request, response) -> grant(reading, request, response);
  }

  private void grant(Reading reading, ServerRequest request, ServerResponse response) {
    Wish wish;
    try {
      String body = Body.of(request);
      Map<String, ?> tree = body.isBlank() ? Map.of() : Json.object(body);
      wish =
          reading.read(
              request.path().pathParameters().first("id").asOptional().orElse(""),
              Fields.of("body", tree));
    } catch (IllegalArgumentException wrong) {
      Answers.error(response, 400, String.valueOf(wrong.getMessage()));
      return;
    }
    try {
      Optional<String> refused =
          engine
              .submit(new Input.Wished(Access.actor(request), wish))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (refused.isPresent()) {
        Answers.error(response, 409, refused.get());
      } else {
        Answers.json(response, Json.map("schema", "holdfast.done/1", "done", true));
      }
    } catch (ExecutionException problem) {
      boolean busy = problem.getCause() instanceof Overloaded;
      Answers.error(response, 503, busy ? "busy, try again" : "the control plane is ending");
    } catch (TimeoutException slow) {
      Answers.error(response, 504, "not durable within " + PATIENCE_SECONDS + " s; ask again");
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      Answers.error(response, 503, "the control plane is ending");
    }
  }
}
