package dev.holdfast.cli.command;

import java.net.URISyntaxException;
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
    try {
      Path place =
          Path.of(PythonFolder.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path folder = place.getParent(); folder != null; folder = folder.getParent()) {
        Path shim = folder.resolve("python/sitecustomize");
        if (Files.isRegularFile(shim.resolve("sitecustomize.py"))) {
          return Optional.of(shim);
        }
      }
    } catch (URISyntaxException | SecurityException unknown) {
      return Optional.empty();
    }
    return Optional.empty();
  }
}
