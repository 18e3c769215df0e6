package dev.holdfast.bench.net;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where NCCL may be, and how many GPUs there are for it. PyTorch brings its own NCCL, in the folder
 * of a Python environment where no loader looks; jobs use that one, so it comes first.
 */
final class NcclFiles {
  private static final String NAME = "libnccl.so.2";
  private static final String IN_PYTHON = "nvidia/nccl/lib/" + NAME;
  private static final int MOST = 64;

  private NcclFiles() {}

  /** In the order in which they are tried; the last one is for the loader to find. */
  static List<String> of(Map<String, String> environment, Path root) {
    String chosen = environment.getOrDefault("HOLDFAST_NCCL", "");
    if (!chosen.isEmpty()) {
      return List.of(chosen);
    }
    Set<String> prefixes = new LinkedHashSet<>();
    prefixes.add(environment.getOrDefault("VIRTUAL_ENV", ""));
    prefixes.add(environment.getOrDefault("CONDA_PREFIX", ""));
    for (String folder : environment.getOrDefault("PATH", "").split(":", -1)) {
      if (folder.endsWith("/bin")) {
        prefixes.add(folder.substring(0, folder.length() - "/bin".length()));
      }
    }
    List<String> found = new ArrayList<>();
    prefixes.stream()
        .filter(it -> it.startsWith("/"))
        .limit(MOST)
        .flatMap(prefix -> pythons(root.resolve(prefix.substring(1)).resolve("lib")))
        .forEach(found::add);
    found.add(NAME);
    return List.copyOf(found);
  }

  private static Stream<String> pythons(Path lib) {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(lib, "python3*")) {
      for (Path folder : folders) {
        for (String packages : List.of("site-packages", "dist-packages")) {
          Path file = folder.resolve(packages).resolve(IN_PYTHON);
          if (Files.isRegularFile(file) && found.size() < MOST) {
            found.add(file.toString());
          }
        }
      }
    } catch (IOException none) {
      // No Python there.
    }
    return found.stream();
  }

  /** How many GPUs a process of this environment may use, as far as files tell. */
  static int gpus(Map<String, String> environment, Path root) {
    String visible = environment.get("CUDA_VISIBLE_DEVICES");
    if (visible != null) {
      return (int) Stream.of(visible.split(",", -1)).filter(it -> !it.isBlank()).count();
    }
    int count = 0;
    try (DirectoryStream<Path> devices =
        Files.newDirectoryStream(root.resolve("dev"), "nvidia[0-9]*")) {
      for (Path device : devices) {
        count += device.getFileName().toString().matches("nvidia[0-9]+") ? 1 : 0;
      }
    } catch (IOException none) {
      return 0;
    }
    return count;
  }
}
