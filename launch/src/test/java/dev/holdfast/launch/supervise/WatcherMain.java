package dev.holdfast.launch.supervise;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A watcher that does what a test writes to a pipe, and ends what is left of the ranks. */
final class WatcherMain {
  private WatcherMain() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    InputStream input = System.in;
    SupervisorLink link = new SupervisorLink(input, new FileOutputStream(FileDescriptor.out));
    Wire wire = new Wire();
    Set<Long> ranks = ConcurrentHashMap.newKeySet();
    note(folder, "watchers", ProcessHandle.current().pid() + "\n");
    note(folder, "first", link.firstLine() + "\n");
    link.listen(
        event -> {
          if (event instanceof Event.Started started) {
            ranks.add(started.pid());
          }
          note(folder, "events", wire.line(event) + "\n");
        },
        why -> end(folder, ranks, why));
    try (BufferedReader orders = Files.newBufferedReader(folder.resolve("orders"))) {
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        link.send(wire.order(line));
      }
    }
  }

  private static void end(Path folder, Set<Long> ranks, String why) {
    try {
      Remains remains = Remains.of(System.getenv()).orElseThrow();
      note(folder, "remains", why + " " + remains.end(ranks, Duration.ofSeconds(10)) + "\n");
    } catch (InterruptedException interrupted) {
      note(folder, "remains", "interrupted\n");
    }
    Runtime.getRuntime().halt(0);
  }

  private static void note(Path folder, String file, String text) {
    try {
      Files.writeString(
          folder.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException problem) {
      throw new java.io.UncheckedIOException(problem);
    }
  }
}
