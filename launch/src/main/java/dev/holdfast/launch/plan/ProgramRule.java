package dev.holdfast.launch.plan;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What do the words after the options mean? A {@code .py} file and {@code -m} mean Python, anything
 * else is executed. What cannot be run is told before anything is started, because later every rank
 * of every node would say it.
 *
 * @param folder where the launcher was started
 */
public record ProgramRule(Path folder, Map<String, String> environment) {
  private static final int MOST_NAMES = 2000;

  public ProgramRule {
    environment = Map.copyOf(environment);
  }

  /** A command line as executed. */
  public record Line(List<String> words, boolean python) {
    public Line {
      words = List.copyOf(words);
    }
  }

  /**
   * @param module whether the first word is a Python module
   * @param noPython whether even a {@code .py} file is executed as it is
   * @param script whether the first word is a Python script whatever its name
   */
  public Line of(List<String> words, boolean module, boolean noPython, boolean script) {
    if (module && noPython) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--module and --no-python exclude each other");
    }
    String first = words.getFirst();
    if (module) {
      return python("-m", words);
    }
    if (!noPython && (script || first.endsWith(".py"))) {
      Path file = file(first);
      if (!Files.isReadable(file)) {
        throw missing(first, file, "readable");
      }
      return python("", words);
    }
    List<String> line = new ArrayList<>(words);
    line.set(0, executable(first));
    return new Line(line, false);
  }

  private Line python(String option, List<String> words) {
    List<String> line = new ArrayList<>(List.of(interpreter(), "-u"));
    if (!option.isEmpty()) {
      line.add(option);
    }
    line.addAll(words);
    return new Line(line, true);
  }

  /** PYTHON_EXEC, then the active environment, then python3. */
  private String interpreter() {
    String chosen = environment.getOrDefault("PYTHON_EXEC", "");
    if (!chosen.isEmpty()) {
      return found(chosen)
          .orElseThrow(
              () -> wrong("PYTHON_EXEC=" + chosen + ": no such program, or not executable"));
    }
    for (String active : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      String root = environment.getOrDefault(active, "");
      Optional<String> python = root.isEmpty() ? Optional.empty() : found(root + "/bin/python");
      if (python.isPresent()) {
        return python.get();
      }
    }
    return found("python3")
        .orElseThrow(
            () -> wrong("python3 is not on PATH: activate an environment or set PYTHON_EXEC"));
  }

  private String executable(String name) {
    return found(name).orElseThrow(() -> missing(name, file(name), "executable"));
  }

  /** The program of that name, as a shell would find it. */
  private Optional<String> found(String name) {
    if (name.contains("/")) {
      Path file = file(name);
      return runs(file) ? Optional.of(name) : Optional.empty();
    }
    return Stream.of(environment.getOrDefault("PATH", "/usr/bin:/bin").split(":"))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> file(entry).resolve(name))
        .filter(ProgramRule::runs)
        .map(Path::toString)
        .findFirst();
  }

  private static boolean runs(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  private Path file(String name) {
    try {
      return folder.resolve(name);
    } catch (InvalidPathException wrong) {
      throw wrong("'" + name + "' is no path");
    }
  }

  private HoldfastException missing(String name, Path file, String wanted) {
    if (Files.isDirectory(file)) {
      return wrong(name + " is a folder" + inside(file));
    }
    if (Files.exists(file)) {
      return wrong(
          wanted.equals("readable")
              ? name + " cannot be read; `ls -l " + name + "` shows whose it is"
              : notExecutable(name));
    }
    boolean searched = !name.contains("/") && wanted.equals("executable");
    return wrong(
        "%s: no such file%s%s"
            .formatted(
                name,
                searched ? " on PATH or in " + folder : " in " + folder,
                Nearest.hint(String.valueOf(file.getFileName()), names(file.getParent()))));
  }

  private static String notExecutable(String name) {
    String path = name.contains("/") ? name : "./" + name;
    return name.contains("/")
        ? name + " is not executable; `chmod +x " + name + "`, or name its interpreter before it"
        : "%s is not on PATH, but in this folder: write %s".formatted(name, path);
  }

  private static String inside(Path directory) {
    return Files.isRegularFile(directory.resolve("__main__.py"))
        ? "; run it as a module: -m " + directory.getFileName()
        : "";
  }

  private static List<String> names(@Nullable Path directory) {
    if (directory == null) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.limit(MOST_NAMES).map(entry -> String.valueOf(entry.getFileName())).toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static HoldfastException wrong(String what) {
    return new HoldfastException(ErrorCode.NO_PROGRAM, what);
  }
}
