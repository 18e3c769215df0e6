package dev.holdfast.peers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.os.process.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * libtorch's libraries as files. They are unpacked by a process of their own: seen on JDK 25, the
 * one that unpacks and loads them at once dies in the dynamic linker, the next one does not.
 */
final class Unpacked {
  private Unpacked() {}

  static void require() {
    assumeTrue(
        System.getProperty("os.arch", "").equals("amd64"), "libtorch is here for x86-64 only");
    Command.of(java(LibtorchServer.class, "unpack")).within(Duration.ofMinutes(2)).run();
  }

  /** A program of this class path, with the libraries where they were unpacked. */
  static List<String> java(Class<?> program, String... arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.bytedeco.javacpp.cachedir="
                    + System.getProperty("org.bytedeco.javacpp.cachedir", ""),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    words.addAll(List.of(arguments));
    return words;
  }
}
