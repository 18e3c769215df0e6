package dev.holdfast.os.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which folders belong to Holdfast here: configuration, state and run-time files.
 *
 * <p>Services (root) use the system's folders, people their own; {@code HOLDFAST_STATE_DIR} and
 * {@code HOLDFAST_CONFIG} win over both.
 */
public record Places(Map<String, String> environment, String home, boolean system) {
  public Places {
    environment = Map.copyOf(environment);
  }

  public static Places ofThisProcess() {
    return new Places(
        System.getenv(), home(System.getenv()), "root".equals(System.getProperty("user.name")));
  }

  /**
   * What {@code HOME} says; Java itself asks the list of users, which has no entry for many a user
   * of a container. Root keeps its own where that of somebody else was left over from {@code sudo}.
   */
  private static String home(Map<String, String> environment) {
    String said = environment.getOrDefault("HOME", "");
    String listed = System.getProperty("user.home", "/");
    boolean root = "root".equals(System.getProperty("user.name"));
    return said.startsWith("/") && !(root && foreign(Path.of(said))) ? said : listed;
  }

  private static boolean foreign(Path folder) {
    try {
      return !"root".equals(Files.getOwner(folder).getName());
    } catch (IOException missing) {
      return false;
    }
  }

  /** Where counters, ledgers and run folders are kept. */
  public Path state() {
    String chosen = environment.getOrDefault("HOLDFAST_STATE_DIR", "");
    if (!chosen.isEmpty()) {
      return Path.of(chosen);
    }
    if (system) {
      return Path.of("/var/lib/holdfast");
    }
    String base = environment.getOrDefault("XDG_STATE_HOME", "");
    return Path.of(base.isEmpty() ? home + "/.local/state" : base, "holdfast");
  }

  /** Where sockets of running services are; gone when the machine restarts. */
  public Path runtime() {
    if (system) {
      return Path.of("/run/holdfast");
    }
    String base = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    return base.isEmpty() ? state().resolve("run") : Path.of(base, "holdfast");
  }

  /**
   * The configuration files that exist, in the order in which they are read. One named by the
   * environment is always among them: that it is missing is an error for whoever reads it.
   */
  public List<Path> configuration() {
    String chosen = environment.getOrDefault("HOLDFAST_CONFIG", "");
    if (!chosen.isEmpty()) {
      return List.of(Path.of(chosen));
    }
    return Stream.of(
            Path.of("/etc/holdfast/holdfast.yaml"), Path.of(home, ".config/holdfast/holdfast.yaml"))
        .filter(Files::isRegularFile)
        .toList();
  }
}
