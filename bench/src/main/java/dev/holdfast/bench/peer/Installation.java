package dev.holdfast.bench.peer;

import dev.holdfast.os.process.OwnProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where this program was started from, and so how it is started again: as the launcher does, with
 * the options and the start-up cache that lie beside the jar, so that what is measured is what
 * people run.
 */
public record Installation(String classPath, Path java) {
  public static Installation ofThisProcess() {
    return new Installation(
        System.getProperty("java.class.path", ""),
        Path.of(System.getProperty("java.home", ""), "bin", "java"));
  }

  private Optional<Path> library() {
    Path jar = Path.of(classPath);
    Path folder = jar.toAbsolutePath().getParent();
    boolean launched =
        jar.getFileName() != null
            && jar.getFileName().toString().equals("holdfast-cli.jar")
            && folder != null
            && Files.isReadable(folder.resolve("service.options"));
    return launched ? Optional.ofNullable(folder) : Optional.empty();
  }

  /** A class of ours as a program that serves. */
  public List<String> serving(String mainClass, List<String> arguments) {
    return serving("service", mainClass, arguments);
  }

  /**
   * A class of ours as a program that serves, as the launcher starts it.
   *
   * @param options the name of its options of the Java virtual machine
   */
  public List<String> serving(String options, String mainClass, List<String> arguments) {
    Optional<Path> library = library();
    if (library.isEmpty()) {
      return OwnProgram.command(List.of("-Xms64m"), mainClass, arguments);
    }
    List<String> words = new ArrayList<>();
    words.add(java.toString());
    words.add("@" + library.get().resolve(options + ".options"));
    words.add("-XX:AOTCache=" + library.get().resolve("holdfast.aot"));
    words.addAll(List.of("-cp", classPath, mainClass));
    words.addAll(arguments);
    return words;
  }

  /** The checkout this was built in: {@code cli/target/builds/ID/lib} below it; else none. */
  public Optional<Path> checkout() {
    return library()
        .map(folder -> folder.resolve("../../../../..").normalize())
        .filter(root -> Files.isReadable(root.resolve("peers/pom.xml")));
  }
}
