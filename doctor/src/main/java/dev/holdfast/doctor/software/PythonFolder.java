package dev.holdfast.doctor.software;

import dev.holdfast.core.compatibility.Version;
import dev.holdfast.doctor.node.NodeView;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One folder with installed Python packages.
 *
 * @param python the Python it belongs to, where its path says so
 * @param active whether the examined environment uses it: its virtual or Conda environment
 * @param packages normalised name to version, from the names of the metadata folders
 */
public record PythonFolder(
    String path, Optional<Version> python, boolean active, Map<String, Version> packages) {
  public PythonFolder {
    packages = Map.copyOf(packages);
  }

  /** What is installed in a folder, told by its names alone; no package is imported. */
  static PythonFolder read(NodeView node, String path, boolean active) {
    Map<String, Version> packages = new TreeMap<>();
    for (String name : node.list(path)) {
      String stem = stem(name);
      int dash = stem.indexOf('-');
      if (dash > 0) {
        String text = stem.substring(dash + 1);
        int python = text.indexOf("-py");
        Version.find(python < 0 ? text : text.substring(0, python))
            .ifPresent(version -> packages.put(normal(stem.substring(0, dash)), version));
      }
    }
    return new PythonFolder(path, pythonOf(path), active, packages);
  }

  /** {@code torch-2.7.0+cu128} of {@code torch-2.7.0+cu128.dist-info}; else empty. */
  private static String stem(String name) {
    int dot = name.lastIndexOf('.');
    boolean metadata = name.endsWith(".dist-info") || name.endsWith(".egg-info");
    return metadata ? name.substring(0, dot) : "";
  }

  static String normal(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_').replace('.', '_');
  }

  /** {@code 3.12} of {@code /opt/conda/lib/python3.12/site-packages}. */
  private static Optional<Version> pythonOf(String path) {
    for (String part : path.split("/")) {
      if (part.startsWith("python") && part.indexOf('.') > 0) {
        return Version.find(part.substring("python".length()));
      }
    }
    return Optional.empty();
  }

  Optional<Version> version(String name) {
    return Optional.ofNullable(packages.get(normal(name)));
  }
}
