package dev.holdfast.launch.platform;

import java.util.List;
import java.util.Optional;

/** A node of an Azure Machine Learning job. */
final class AzureMl {
  private AzureMl() {}

  static Optional<Sighting> look(Surroundings around) {
    if (around.text("AZUREML_RUN_ID", "AZUREML_NODE_COUNT", "AZUREML_CR_NODE_RANK").isEmpty()) {
      return Optional.empty();
    }
    Sighting seen = new Sighting("azureml");
    seen.job = around.text("AZUREML_RUN_ID").map(run -> "azureml-" + run);
    seen.count = around.claim("AZUREML_NODE_COUNT");
    seen.rank = around.claim("AZUREML_CR_NODE_RANK");
    seen.host =
        around
            .text("AZ_BATCH_MASTER_NODE")
            .map(endpoint -> endpoint.replaceFirst(":[0-9]+$", ""))
            .or(() -> around.text("AZ_BATCHAI_MPI_MASTER_NODE", "AZ_BATCHAI_JOB_MASTER_NODE_IP"));
    seen.failureFiles = List.of("./outputs/holdfast-failure.json");
    return Optional.of(seen);
  }
}
