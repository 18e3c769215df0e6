package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.node.NodeView;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The toolkits and frameworks found on a node, by their files alone. */
public record Installed(
    List<CudaToolkit> toolkits,
    List<PythonFolder> folders,
    List<Torch> torches,
    Optional<Libraries.Found> cann) {
  private static final List<String> FRAMEWORKS =
      List.of("torch", "tensorflow", "jax", "jaxlib", "torch_npu", "deepspeed", "megatron_core");
  private static final List<String> CANN =
      List.of(
          "/usr/local/Ascend/ascend-toolkit/latest/version.cfg",
          "/usr/local/Ascend/latest/version.cfg",
          "/usr/local/Ascend/cann/version.cfg");

  public Installed {
    toolkits = List.copyOf(toolkits);
    folders = List.copyOf(folders);
    torches = List.copyOf(torches);
  }

  public static Installed on(NodeView node, Variables variables) {
    List<PythonFolder> folders = PythonFolders.of(node, variables);
    return new Installed(
        CudaToolkit.all(node, variables), folders, Torch.in(node, folders), cann(node));
  }

  /** The frameworks of the environment in use, else of the first folder that has them. */
  public Map<String, Libraries.Found> packages() {
    Map<String, Libraries.Found> found = new TreeMap<>();
    for (PythonFolder folder : folders) {
      for (String name : FRAMEWORKS) {
        folder
            .version(name)
            .ifPresent(
                version -> found.putIfAbsent(name, new Libraries.Found(folder.path(), version)));
      }
    }
    for (Torch torch : torches) {
      found.computeIfPresent(
          "torch",
          (_, known) ->
              known.path().equals(torch.folder().path())
                  ? new Libraries.Found(torch.source(), torch.version())
                  : known);
    }
    return found;
  }

  /** Ascend's toolkit: {@code toolkit_running_version=[8.2.RC1]} or {@code version=8.2.RC1}. */
  private static Optional<Libraries.Found> cann(NodeView node) {
    for (String path : CANN) {
      for (String line : node.read(path).text().orElse("").split("\n")) {
        int equals = line.indexOf('=');
        if (equals > 0 && line.substring(0, equals).toLowerCase(Locale.ROOT).contains("version")) {
          String value = line.substring(equals + 1).replace("[", "").replace("]", "").strip();
          int colon = value.lastIndexOf(':');
          Optional<Version> version = Version.find(value.substring(colon + 1));
          if (version.isPresent()) {
            return Optional.of(new Libraries.Found(path, version.get()));
          }
        }
      }
    }
    return Optional.empty();
  }
}
