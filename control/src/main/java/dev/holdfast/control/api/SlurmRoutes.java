package dev.holdfast.control.api;

import dev.holdfast.control.slurm.SlurmLink;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How it stands with Slurm. */
final class SlurmRoutes {
  private final Supplier<Optional<SlurmLink>> slurm;

  SlurmRoutes(Supplier<Optional<SlurmLink>> slurm) {
    this.slurm = slurm;
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/slurm",
            "What Slurm says, and how it was asked",
            "holdfast.slurm/1",
            List.of(),
            this::slurm));
  }

  private void slurm(ServerRequest request, ServerResponse response) {
    Optional<SlurmLink> link = slurm.get();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("schema", "holdfast.slurm/1");
    tree.put("linked", link.isPresent());
    link.ifPresent(it -> tree.putAll(it.status().json()));
    Answers.json(response, tree);
  }
}
