package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A CUDA toolkit or runtime that is installed on the node.
 *
 * @param source the file or folder name that tells the version
 * @param chosen whether programs get it by default: {@code /usr/local/cuda} or CUDA_HOME
 */
public record CudaToolkit(String folder, Version version, String source, boolean chosen) {
  private static final String USUAL = "/usr/local";
  private static final int MAX_TOOLKITS = 20;

  /** Every toolkit, the chosen one first. */
  public static List<CudaToolkit> all(NodeView node, Variables variables) {
    Set<String> folders = new LinkedHashSet<>();
    variables.folders("CUDA_HOME").forEach(folders::add);
    variables.folders("CUDA_PATH").forEach(folders::add);
    folders.add(USUAL + "/cuda");
    int chosen = folders.size();
    for (String name : node.list(USUAL)) {
      if (name.startsWith("cuda-") && folders.size() < MAX_TOOLKITS) {
        folders.add(USUAL + "/" + name);
      }
    }
    List<CudaToolkit> found = new ArrayList<>();
    int position = 0;
    for (String folder : folders) {
      boolean first = position++ < chosen && found.isEmpty();
      read(node, folder, first)
          .filter(
              toolkit -> found.stream().noneMatch(known -> known.version.equals(toolkit.version)))
          .ifPresent(found::add);
    }
    return found;
  }

  private static Optional<CudaToolkit> read(NodeView node, String folder, boolean chosen) {
    String json = folder + "/version.json";
    Optional<Version> version = node.read(json).text().flatMap(CudaToolkit::fromJson);
    if (version.isPresent()) {
      return Optional.of(new CudaToolkit(folder, version.get(), json, chosen));
    }
    return Libraries.inFolder(node, folder + "/lib64", "libcudart.so")
        .map(found -> new CudaToolkit(folder, found.version(), found.path(), chosen))
        .or(() -> fromName(node, folder, chosen));
  }

  /** By the name of the folder, or of what it is a link to: {@code /usr/local/cuda-13.0}. */
  private static Optional<CudaToolkit> fromName(NodeView node, String folder, boolean chosen) {
    String name = folder;
    for (int step = 0; step < 2; step++) {
      name = node.link(name).orElse(name);
    }
    int dash = name.lastIndexOf("/cuda-");
    String source = name;
    return dash < 0 || node.list(folder + "/lib64").isEmpty()
        ? Optional.empty()
        : Version.find(name.substring(dash + "/cuda-".length()))
            .map(version -> new CudaToolkit(folder, version, source, chosen));
  }

  private static Optional<Version> fromJson(String text) {
    try {
      return Json.foreignObject(text).get("cuda") instanceof Map<?, ?> cuda
              && cuda.get("version") instanceof String version
          ? Version.find(version)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
