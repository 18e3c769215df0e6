package dev.holdfast.cli.command;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the folder is that Python ranks get first on their path: {@code python/sitecustomize}
 * beside the folder of our jars, or above it in a checkout.
 */
final class PythonFolder {
  private PythonFolder() {}

  /** Empty where it was not installed. */
  static Optional<Path> shim() {
    // Not by a class' own location: of classes out of the start-up cache that is not known.
    for (String jar : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
      for (Path folder = Path.of(jar).toAbsolutePath().getParent();
          folder != null;
          folder = folder.getParent()) {
        Path shim = folder.resolve("python/sitecustomize");
        if (Files.isRegularFile(shim.resolve("sitecustomize.py"))) {
          return Optional.of(shim);
        }
      }
    }
    return Optional.empty();
  }
}
