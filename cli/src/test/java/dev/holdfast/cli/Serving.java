package dev.holdfast.cli;

import dev.holdfast.os.server.ServerAddress;
import dev.holdfast.os.server.ServerClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code serve} in a thread of the test, on a free port of this machine. */
final class Serving implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("(https?://127\\.0\\.0\\.1:[0-9]+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestConsole console = new TestConsole();
  private final Thread thread;
  private final String address;

  Serving(Path state, String... options) throws InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("serve", "--listen", "127.0.0.1:0", "--state", state.toString()));
    words.addAll(List.of(options));
    this.thread =
        Thread.ofPlatform().name("serve").start(() -> console.run(words.toArray(String[]::new)));
    this.address = await();
  }

  private String await() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (thread.isAlive() && System.nanoTime() < deadline) {
      Matcher said = ADDRESS.matcher(console.err());
      if (said.find()) {
        return said.group(1);
      }
      Thread.sleep(20);
    }
    throw new AssertionError("serve did not begin: " + console.err());
  }

  String address() {
    return address;
  }

  /** Host and port alone. */
  String target() {
    return address.substring(address.indexOf("//") + 2);
  }

  String get(String path) throws IOException, InterruptedException {
    try (ServerClient client = new ServerClient(ServerAddress.plain(address))) {
      return client.get(path, PATIENCE);
    }
  }

  /** What it said to whoever started it. */
  String said() {
    return console.err();
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join(PATIENCE.toMillis());
  }
}
