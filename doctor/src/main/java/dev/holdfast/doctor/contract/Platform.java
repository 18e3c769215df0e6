package dev.holdfast.doctor.contract;

import java.util.List;
import java.util.Optional;

/**
 * A platform that runs training containers.
 *
 * @param id how the command line and check ids name it
 * @param graceSeconds how long it waits after TERM before it kills
 * @param reserved beginnings of variables the platform sets itself
 * @param sign a variable or file that is there only when the platform runs the container
 */
record Platform(String id, String title, int graceSeconds, List<String> reserved, String sign) {
  static final Platform SAGEMAKER =
      new Platform(
          "sagemaker",
          "SageMaker",
          120,
          List.of("SM_"),
          "/opt/ml/input/config/resourceconfig.json");
  static final Platform AZUREML =
      new Platform("azureml", "Azure ML", 30, List.of("AZUREML_"), "AZUREML_RUN_ID");
  static final Platform MODELARTS =
      new Platform("modelarts", "ModelArts", 30, List.of("MA_", "VC_"), "MA_JOB_DIR");
  static final Platform KUBERNETES =
      new Platform("k8s", "Kubernetes", 30, List.of("KUBERNETES_"), "KUBERNETES_SERVICE_HOST");

  static final List<Platform> ALL = List.of(SAGEMAKER, AZUREML, MODELARTS, KUBERNETES);

  Platform {
    reserved = List.copyOf(reserved);
  }

  static Optional<Platform> find(String id) {
    return ALL.stream().filter(platform -> platform.id.equals(id)).findFirst();
  }

  String check(String rule) {
    return "contract." + id + "." + rule;
  }
}
