package dev.holdfast.bench.peer;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** libtorch as a program, made from a checkout when it is not there yet: 110 MB through Maven. */
record LibtorchBuild(Path root, Path java) {
  private static final String MAIN = "dev.holdfast.peers.LibtorchServer";
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Builds and unpacks what is missing, and says so. */
  void ensure(Consumer<String> log) throws IOException {
    if (!built()) {
      log.accept("fetching and building libtorch's server with Maven (110 MB, once)");
      CommandResult made =
          Command.of(
                  "mvn",
                  "-B",
                  "-q",
                  "-f",
                  root.resolve("pom.xml").toString(),
                  "-Pfast,peers",
                  "-pl",
                  "peers",
                  "-am",
                  "package")
              .with("JAVA_HOME", java.resolve("../..").normalize().toString())
              .within(PATIENCE)
              .run();
      if (!made.succeeded() || !built()) {
        throw new IOException(
            "libtorch could not be built: " + firstLine(made.output() + made.error(), made.why()));
      }
    }
    if (!Files.isDirectory(cache())) {
      log.accept("unpacking libtorch");
      // Its end is of no interest: seen on JDK 25, it may die in the dynamic linker when all is
      // done.
      Command.of(command("unpack")).within(Duration.ofMinutes(3)).run();
    }
  }

  List<String> command(String backend) {
    return List.of(
        java.toString(),
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-XX:-CreateCoredumpOnCrash",
        "-XX:ErrorFile=/dev/null",
        "--enable-native-access=ALL-UNNAMED",
        "-Dorg.bytedeco.javacpp.cachedir=" + cache(),
        "-cp",
        jars() + "/*",
        MAIN,
        backend);
  }

  private Path jars() {
    return root.resolve("peers/target/jars");
  }

  private Path cache() {
    return root.resolve("peers/target/javacpp");
  }

  private boolean built() throws IOException {
    if (!Files.isDirectory(jars())) {
      return false;
    }
    try (Stream<Path> files = Files.list(jars())) {
      return files.filter(file -> file.getFileName().toString().contains("pytorch")).count() > 1;
    }
  }

  private static String firstLine(String text, String otherwise) {
    return text.lines().filter(line -> line.contains("ERROR")).findFirst().orElse(otherwise);
  }
}
