package dev.holdfast.doctor.software;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where Python packages are on this node: the environment in use first, then the usual places.
 *
 * <p>Looks only at directory listings, and at a bounded number of them: no interpreter is started,
 * and no home is walked.
 */
final class PythonFolders {
  private static final int MAX_FOLDERS = 40;
  private static final int MAX_ON_PATH = 16;
  private static final List<String> PREFIXES =
      List.of("/usr/local", "/usr", "/opt/conda", "/opt/venv", "/venv", "/opt/miniconda3");

  private PythonFolders() {}

  static List<PythonFolder> of(NodeView node, Variables variables) {
    Map<String, Boolean> paths = new LinkedHashMap<>();
    for (String name : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      variables.folders(name).forEach(prefix -> below(node, prefix, true, paths));
    }
    onPath(node, variables).forEach(prefix -> below(node, prefix, true, paths));
    for (String folder : variables.folders("PYTHONPATH")) {
      paths.putIfAbsent(folder, true);
    }
    PREFIXES.forEach(prefix -> below(node, prefix, false, paths));
    variables.folders("HOME").forEach(home -> below(node, home + "/.local", false, paths));
    List<PythonFolder> folders = new ArrayList<>();
    paths.forEach(
        (path, active) -> {
          if (folders.size() < MAX_FOLDERS) {
            PythonFolder folder = PythonFolder.read(node, path, active);
            if (!folder.packages().isEmpty()) {
              folders.add(folder);
            }
          }
        });
    return folders;
  }

  /** An environment is in use as soon as its bin folder is on the PATH, activated or not. */
  private static List<String> onPath(NodeView node, Variables variables) {
    return variables.folders("PATH").stream()
        .filter(folder -> folder.endsWith("/bin"))
        .map(folder -> folder.substring(0, folder.length() - "/bin".length()))
        .filter(prefix -> !prefix.isEmpty() && !PREFIXES.contains(prefix))
        .limit(MAX_ON_PATH)
        .filter(
            prefix ->
                node.exists(prefix + "/pyvenv.cfg") || !node.list(prefix + "/conda-meta").isEmpty())
        .toList();
  }

  private static void below(
      NodeView node, String prefix, boolean active, Map<String, Boolean> paths) {
    for (String lib : List.of("/lib", "/lib64")) {
      for (String name : node.list(prefix + lib)) {
        if (name.startsWith("python")) {
          paths.putIfAbsent(prefix + lib + "/" + name + "/site-packages", active);
          paths.putIfAbsent(prefix + lib + "/" + name + "/dist-packages", active);
        }
      }
    }
  }
}
