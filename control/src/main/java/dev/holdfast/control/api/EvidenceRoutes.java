package dev.holdfast.control.api;

import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.archive.Seal;
import dev.holdfast.core.text.Json;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Evidence of an incident as one signed archive, and the key that tells who signed. */
final class EvidenceRoutes {
  private final Engine engine;
  private final Notary notary;
  private final Clock clock;

  EvidenceRoutes(Engine engine, Notary notary, Clock clock) {
    this.engine = engine;
    this.notary = notary;
    this.clock = clock;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/incidents/{id}/evidence",
            "Everything known of an incident as a signed zip",
            "application/zip",
            List.of(),
            this::evidence),
        Endpoint.get(
            "/evidence/key",
            "The public key evidence is signed with",
            "holdfast.evidencekey/1",
            List.of(),
            this::key));
  }

  private void evidence(ServerRequest request, ServerResponse response) {
    String id = request.path().pathParameters().get("id");
    Optional<IncidentView> incident = engine.state().incident(id);
    if (incident.isEmpty()) {
      Answers.error(response, 404, "no incident " + id);
      return;
    }
    byte[] bundle;
    try {
      bundle = new EvidenceBundle(engine, notary).of(incident.get(), clock.instant());
    } catch (IOException | IllegalArgumentException problem) {
      Answers.error(response, 503, "the evidence cannot be made: " + problem.getMessage());
      return;
    }
    response.header(
        HeaderNames.CONTENT_DISPOSITION, "attachment; filename=\"holdfast-" + id + ".zip\"");
    Answers.bytes(response, "application/zip", bundle);
  }

  private void key(ServerRequest request, ServerResponse response) {
    Answers.json(
        response,
        Json.map(
            "schema",
            "holdfast.evidencekey/1",
            "algorithm",
            "Ed25519",
            "publicKey",
            Seal.show(notary.keys().getPublic())));
  }
}
