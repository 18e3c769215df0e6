package dev.holdfast.launch.supervise;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A supervisor in a process of its own, for tests. Its watcher is a shell that hands on what the
 * test writes to a pipe and keeps the events in a file.
 */
final class SupervisorMain {
  private static final String WATCHER =
      "cat \"$0/orders\" & echo $$ >>\"$0/watchers\"; exec cat >>\"$0/events\"";

  private SupervisorMain() {}

  public static void main(String[] arguments) {
    String folder = arguments[0];
    List<String> watcher =
        arguments.length > 2
            ? List.of(arguments).subList(2, arguments.length)
            : List.of("/bin/sh", "-c", WATCHER, folder);
    SupervisorOptions options =
        SupervisorOptions.of(watcher, "{\"hello\":1}", new StandardStreams())
            .within(Duration.ofMillis(Long.parseLong(arguments[1])))
            .with(Map.of("FOR_THE_WATCHER", "yes"));
    Runtime.getRuntime().halt(Supervisor.run(options));
  }
}
