package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Shared libraries by the version in their file names: {@code libnccl.so.2.21.5}.
 *
 * <p>Searched in the order of the dynamic linker: LD_LIBRARY_PATH, then the system's folders, then
 * the CUDA toolkits, which are usually in the linker's cache.
 */
public final class Libraries {
  private static final List<String> SYSTEM =
      List.of(
          "/usr/lib/x86_64-linux-gnu",
          "/usr/lib/aarch64-linux-gnu",
          "/usr/lib64",
          "/usr/local/lib",
          "/usr/local/cuda/lib64");

  private Libraries() {}

  /**
   * A library file.
   *
   * @param version as its name says
   */
  public record Found(String path, Version version) {}

  public static List<Found> find(NodeView node, Variables variables, String name) {
    Set<String> folders = new LinkedHashSet<>(variables.folders("LD_LIBRARY_PATH"));
    folders.addAll(SYSTEM);
    List<Found> found = new ArrayList<>();
    for (String folder : folders) {
      inFolder(node, folder, name).ifPresent(found::add);
    }
    return found;
  }

  /** The library in one folder: the longest version its names tell. */
  static Optional<Found> inFolder(NodeView node, String folder, String name) {
    Optional<Found> best = Optional.empty();
    for (String file : node.list(folder)) {
      if (file.startsWith(name + ".")) {
        Optional<Version> version = Version.find(file.substring(name.length() + 1));
        if (version.isPresent()
            && version.get().numbers().size()
                > best.map(known -> known.version().numbers().size()).orElse(1)) {
          best = Optional.of(new Found(folder + "/" + file, version.get()));
        }
      }
    }
    return best;
  }
}
