package dev.holdfast.core.topology;

import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** hwloc's own program, asked what it makes of a machine. */
final class Lstopo {
  private static final int SECONDS = 60;

  private final Path program;
  private final Path folder;

  private Lstopo(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** Skips the calling test where the program is missing. */
  static Lstopo require(Path folder) {
    return new Lstopo(Tools.require("lstopo", "hwloc"), folder);
  }

  /** The XML of a machine described as {@code pack:2 core:4 pu:2}. */
  String made(String description) throws IOException {
    return run("--if", "synthetic", "--input", description, "--filter", "all:all", "--of", "xml");
  }

  /** What it writes about the machine in {@code xml}. */
  String about(String xml, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("in.xml"), xml);
    List<String> all = new ArrayList<>(List.of("--if", "xml", "--input", file.toString()));
    all.addAll(List.of(options));
    return run(all.toArray(String[]::new));
  }

  private String run(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(options));
    Path out = folder.resolve("out");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(errors.toFile());
    builder.environment().put("HWLOC_HIDE_ERRORS", "2");
    builder.environment().remove("DISPLAY");
    Process process = builder.start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("lstopo does not end: " + command);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    if (process.exitValue() != 0) {
      throw new IOException(command + ": " + Files.readString(errors, StandardCharsets.UTF_8));
    }
    return Files.readString(out, StandardCharsets.UTF_8);
  }
}
