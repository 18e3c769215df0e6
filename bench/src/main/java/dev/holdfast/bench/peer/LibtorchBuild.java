package dev.holdfast.bench.peer;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** libtorch as a program, made from a checkout when it is not there yet: 110 MB through Maven. */
public record LibtorchBuild(Path root, Path java) {
  /** What makes it, for those who have to be told. */
  public static final String COMMAND = "mvn -Pfast,peers -pl peers -am package";

  private static final String SERVER = "dev.holdfast.peers.LibtorchServer";
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Builds and unpacks what is missing, and says so. */
  public void ensure(Consumer<String> log) throws IOException {
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
      Command.of(command(SERVER, "unpack")).within(Duration.ofMinutes(3)).run();
    }
  }

  /** The server with that backend. */
  List<String> server(String backend) {
    return command(SERVER, backend);
  }

  /** One of the programs made, as a command. */
  public List<String> command(String main, String... arguments) {
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of(
            java.toString(),
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.bytedeco.javacpp.cachedir=" + cache(),
            "-cp",
            jars() + "/*",
            main));
    words.addAll(List.of(arguments));
    return words;
  }

  private Path jars() {
    return root.resolve("peers/target/jars");
  }

  private Path cache() {
    return root.resolve("peers/target/javacpp");
  }

  /** Whether there is nothing to be fetched. */
  public boolean built() throws IOException {
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
