package dev.holdfast.testing;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL of a test's own: a fresh cluster in a temporary folder, on a free port of the
 * loopback. It refuses to run as root, so there it runs as the user its package made.
 */
public final class PrivatePostgres implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final String USER = "holdfast";
  private static final String PASSWORD = "only-for-tests";
  private static final long PATIENCE_SECONDS = 60;

  private final Path programs;
  private final Path folder;
  private final int port;

  private PrivatePostgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** Skips the calling test where there is none. */
  public static PrivatePostgres start() throws IOException, InterruptedException {
    Optional<Path> found = programs();
    Tools.require(found.isPresent(), "needs a PostgreSQL server (apt-get install postgresql)");
    Path folder = Files.createTempDirectory("holdfast-postgres");
    Path password = folder.resolve("password");
    Files.writeString(password, PASSWORD);
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    PrivatePostgres made = new PrivatePostgres(found.orElseThrow(), folder, port);
    if (root()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      made.call(List.of("chown", "-R", "postgres", folder.toString()));
    }
    made.program(
        "initdb", "-U", USER, "-A", "scram-sha-256", "--pwfile=" + password, "-D", made.data());
    made.up();
    return made;
  }

  private static Optional<Path> programs() throws IOException {
    if (!Files.isDirectory(VERSIONS)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      return versions
          .map(it -> it.resolve("bin"))
          .filter(it -> Files.isExecutable(it.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /** With user and password. */
  public String url() {
    return plainUrl() + "?user=" + USER + "&password=" + PASSWORD;
  }

  public String plainUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public String user() {
    return USER;
  }

  public String password() {
    return PASSWORD;
  }

  public void up() throws IOException, InterruptedException {
    program(
        "pg_ctl",
        "-w",
        "-D",
        data(),
        "-l",
        folder.resolve("log").toString(),
        "-o",
        "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=''",
        "start");
  }

  /** As a power loss would: nothing is written any more. */
  public void crash() throws IOException, InterruptedException {
    program("pg_ctl", "-w", "-D", data(), "-m", "immediate", "stop");
  }

  private void program(String name, String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    if (root()) {
      line.addAll(
          List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"));
    }
    line.add(programs.resolve(name).toString());
    line.addAll(List.of(arguments));
    call(line);
  }

  private void call(List<String> line) throws IOException, InterruptedException {
    Path said = Files.createTempFile("holdfast-postgres", ".out");
    try {
      Process process =
          new ProcessBuilder(line)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(line + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException(line + ": " + Files.readString(said));
      }
    } finally {
      Files.delete(said);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      crash();
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
