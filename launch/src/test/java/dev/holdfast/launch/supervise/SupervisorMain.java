package dev.holdfast.launch.supervise;

import dev.holdfast.launch.supervise.SupervisorOptions.Means;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
            .with(Map.of("FOR_THE_WATCHER", "yes"))
            .by(means());
    // At once: what is left of us must not need the rest of the virtual machine.
    Runtime.getRuntime().halt(Supervisor.run(options));
  }

  private static Set<Means> means() {
    String names = System.getProperty("means", "CGROUP,DEATH_SIGNAL");
    Set<Means> means = EnumSet.noneOf(Means.class);
    for (String name : names.split(",", -1)) {
      if (!name.isEmpty()) {
        means.add(Means.valueOf(name));
      }
    }
    return means;
  }
}
