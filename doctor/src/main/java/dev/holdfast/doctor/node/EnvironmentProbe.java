package dev.holdfast.doctor.node;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment variables that matter to a training run, and no others: an environment is full of
 * secrets, so names are allowed rather than forbidden, and the value of an allowed name that still
 * sounds secret is blanked.
 */
final class EnvironmentProbe {
  private static final int MAX_VALUE = 8192;
  private static final List<String> PREFIXES =
      List.of(
          "NCCL_",
          "CUDA_",
          "NVIDIA_",
          "SLURM_",
          "PYXIS_",
          "ENROOT_",
          "PMI",
          "OMPI_",
          "MASTER_",
          "KUBERNETES_",
          "POD_",
          "UCX_",
          "GLOO_",
          "TORCH_",
          "PYTORCH_",
          "OMP_",
          "CONDA_",
          "PYTHON",
          "SM_",
          "AZUREML_",
          "AZ_BATCH",
          "MA_",
          "VC_",
          "HCCL_",
          "MELLANOX_",
          "ROCR_",
          "HIP_",
          "ASCEND_");
  private static final Set<String> NAMES =
      Set.of(
          "RANK",
          "WORLD_SIZE",
          "LOCAL_RANK",
          "LOCAL_WORLD_SIZE",
          "LD_LIBRARY_PATH",
          "LD_PRELOAD",
          "PATH",
          "VIRTUAL_ENV",
          "RANK_TABLE_FILE",
          "SLURMD_NODENAME",
          "TMPDIR",
          "HOME");
  private static final List<String> SECRET =
      List.of("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "COOKIE");

  private EnvironmentProbe() {}

  /** The lines {@code NAME=value}, sorted; a line break in a value is written {@code \n}. */
  static String text(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (allowed(name)) {
                text.append(name).append('=').append(shown(name, value)).append('\n');
              }
            });
    return text.toString();
  }

  private static boolean allowed(String name) {
    return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
  }

  private static String shown(String name, String value) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (SECRET.stream().anyMatch(upper::contains)) {
      return "(blanked)";
    }
    String whole = value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE);
    return whole.replace("\n", "\\n");
  }
}
