package dev.holdfast.os.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where is the program of this name, as a shell with this PATH would find it? */
public final class ProgramPath {
  private static final String USUAL = "/usr/local/bin:/usr/bin:/bin";

  private ProgramPath() {}

  public static Optional<String> find(String name, String path) {
    if (name.indexOf('/') >= 0) {
      return runnable(Path.of(name)) ? Optional.of(name) : Optional.empty();
    }
    for (String folder : (path.isEmpty() ? USUAL : path).split(File.pathSeparator)) {
      Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
      if (!name.isEmpty() && runnable(candidate)) {
        return Optional.of(candidate.toString());
      }
    }
    return Optional.empty();
  }

  /** The same, with the reason when there is none. */
  public static String require(String name, String path) throws IOException {
    Optional<String> found = find(name, path);
    if (found.isPresent()) {
      return found.get();
    }
    boolean there = name.indexOf('/') >= 0 && Files.exists(Path.of(name));
    throw new IOException(
        name
            + (there
                ? ": not an executable file"
                : name.indexOf('/') >= 0 ? ": no such file" : ": no such program on the PATH"));
  }

  private static boolean runnable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
