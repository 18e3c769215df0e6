package dev.holdfast.testing;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Is the program this test needs on this machine?
 *
 * <p>A test against a real program (a compiler, sshd, Slurm) is worth having even where the program
 * is absent, so there it is skipped with the reason and the package that brings it. A skip nobody
 * sees would be a hole, though: where {@code HOLDFAST_REQUIRE_TOOLS=true}, as in continuous
 * integration, the same absence fails the test.
 */
public final class Tools {
  static final String REQUIRE = "HOLDFAST_REQUIRE_TOOLS";

  /** Debian keeps daemons here, outside an ordinary user's PATH. */
  private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/sbin");

  private final Map<String, String> environment;

  Tools(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The path of a program the calling test cannot do without.
   *
   * @param program its file name, such as {@code sshd}
   * @param debianPackage the package that brings it, such as {@code openssh-server}
   */
  public static Path require(String program, String debianPackage) {
    return new Tools(System.getenv()).find(program, debianPackage);
  }

  /** Skips, or fails where nothing may be skipped, unless the condition holds. */
  public static void require(boolean present, String reason) {
    new Tools(System.getenv()).demand(present, reason);
  }

  Path find(String program, String debianPackage) {
    Optional<Path> found =
        folders().stream()
            .map(folder -> Path.of(folder, program))
            .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
            .findFirst();
    demand(found.isPresent(), "needs " + program + " (apt-get install " + debianPackage + ")");
    return found.orElseThrow();
  }

  void demand(boolean present, String reason) {
    if (!present && Boolean.parseBoolean(environment.get(REQUIRE))) {
      Assertions.fail(reason + "; " + REQUIRE + " forbids skipping");
    }
    Assumptions.assumeTrue(present, reason);
  }

  private List<String> folders() {
    List<String> folders = new ArrayList<>();
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (!folder.isEmpty()) {
        folders.add(folder);
      }
    }
    folders.addAll(SYSTEM_FOLDERS);
    return folders;
  }
}
