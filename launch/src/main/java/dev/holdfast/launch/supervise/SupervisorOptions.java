package dev.holdfast.launch.supervise;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a supervisor is told once, at its start.
 *
 * @param watcher the command of the process beside it
 * @param environment set for that process on top of ours
 * @param firstLine what that process gets before all events: one line, a JSON object
 * @param grace how long after a signal from outside we may be killed
 * @param restarts how often within {@code restartWindow} that process is started again
 * @param restartPause before it is started again
 * @param linesPerSecond how many lines of a rank are shown on the console
 * @param burst how many at once after a quiet time
 * @param means what may be used to hold the ranks, where the machine has it
 */
public record SupervisorOptions(
    List<String> watcher,
    Map<String, String> environment,
    String firstLine,
    Duration grace,
    int restarts,
    Duration restartWindow,
    Duration restartPause,
    Console console,
    int linesPerSecond,
    int burst,
    Set<Means> means) {

  /** Ways to make sure that no process of a rank is left behind, beside looking for them. */
  public enum Means {
    CGROUP,
    DEATH_SIGNAL
  }

  public SupervisorOptions {
    watcher = List.copyOf(watcher);
    environment = Map.copyOf(environment);
    means = Set.copyOf(means);
    if (firstLine.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("the first line has a line end in it");
    }
    if (watcher.isEmpty()) {
      throw new IllegalArgumentException("no command for the process beside the supervisor");
    }
  }

  /** With what is usual for the rest. */
  public static SupervisorOptions of(List<String> watcher, String firstLine, Console console) {
    return new SupervisorOptions(
        watcher,
        Map.of(),
        firstLine,
        Duration.ofSeconds(30),
        5,
        Duration.ofMinutes(1),
        Duration.ofMillis(100),
        console,
        200,
        1000,
        EnumSet.allOf(Means.class));
  }

  public SupervisorOptions with(Map<String, String> more) {
    return new SupervisorOptions(
        watcher,
        more,
        firstLine,
        grace,
        restarts,
        restartWindow,
        restartPause,
        console,
        linesPerSecond,
        burst,
        means);
  }

  public SupervisorOptions within(Duration otherGrace) {
    return new SupervisorOptions(
        watcher,
        environment,
        firstLine,
        otherGrace,
        restarts,
        restartWindow,
        restartPause,
        console,
        linesPerSecond,
        burst,
        means);
  }

  public SupervisorOptions by(Set<Means> others) {
    return new SupervisorOptions(
        watcher,
        environment,
        firstLine,
        grace,
        restarts,
        restartWindow,
        restartPause,
        console,
        linesPerSecond,
        burst,
        others);
  }
}
