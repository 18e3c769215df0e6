package dev.holdfast.os.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Builds stand-ins for the driver's library with the C compiler of the machine. */
final class FakeNvml {
  private FakeNvml() {}

  /** A library built with these definitions, such as {@code -DHANG="nvmlDeviceGetName"}. */
  static Path build(Path folder, String... definitions) {
    copy(folder, "nvml-structures.h");
    Path source = copy(folder, "fake-nvml.c");
    Path library = folder.resolve("libfake-nvml.so");
    List<String> arguments = new ArrayList<>(List.of("-shared", "-fPIC", "-O1", "-w"));
    arguments.addAll(List.of(definitions));
    arguments.addAll(List.of("-o", library.toString(), source.toString()));
    compile(arguments);
    return library;
  }

  static void compile(List<String> arguments) {
    CommandResult result = tryCompile(arguments);
    assertThat(result.succeeded()).as(result.why() + "\n" + result.error()).isTrue();
  }

  static CommandResult tryCompile(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Tools.require("gcc", "gcc").toString());
    command.addAll(arguments);
    return Command.of(command).within(Duration.ofSeconds(60)).run();
  }

  static Path copy(Path folder, String resource) {
    try (InputStream stream = FakeNvml.class.getResourceAsStream(resource)) {
      assertThat(stream).as(resource).isNotNull();
      Path file = folder.resolve(resource);
      Files.write(file, stream.readAllBytes());
      return file;
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
