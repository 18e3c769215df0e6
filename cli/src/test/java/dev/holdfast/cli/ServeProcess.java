package dev.holdfast.cli;

import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real {@code holdfast serve}, to be killed. */
final class ServeProcess implements AutoCloseable {
  private final Path folder;
  private final Path output;
  private final int port;
  private final List<String> arguments;
  private final java.util.Map<String, String> environment;
  private Process process;

  /**
   * @param folder its state
   * @param name of its output file
   */
  ServeProcess(
      Path folder, String name, java.util.Map<String, String> environment, String... arguments)
      throws IOException {
    this.folder = folder;
    this.output = folder.resolve(name + ".out");
    this.environment = environment;
    this.arguments = List.of(arguments);
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
    this.process = launch();
  }

  private Process launch() throws IOException {
    List<String> line =
        HoldfastProgram.command(
            List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"),
            List.of("serve", "--listen=127.0.0.1:" + port, "--state=" + folder.resolve("control")));
    line.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    builder.environment().put("HOLDFAST_STATE_DIR", folder.toString());
    builder.environment().putAll(environment);
    return builder.start();
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  String output() throws IOException {
    return Files.exists(output) ? Files.readString(output) : "";
  }

  /** Without warning, as the kernel does when memory runs out. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  void again() throws IOException {
    process = launch();
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).inheritIO().start().waitFor();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** Its exit code, or -1 when it goes on. */
  int awaitEnd(int seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
