package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.Binding;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * What planning a job needs to know of the machine, asked once and handed in.
 *
 * @param folder where the launcher was started
 * @param runs where runs are kept when nobody says otherwise
 * @param devices the names in /dev
 * @param cpus how many CPUs this process may use
 * @param isHere whether a host name or address is this machine
 * @param now when the launcher was started
 * @param process its number, which tells launchers of the same second apart
 * @param binder binds so many ranks by a policy
 */
public record Workplace(
    Map<String, String> environment,
    Path folder,
    Path runs,
    List<String> devices,
    int cpus,
    Predicate<String> isHere,
    Instant now,
    long process,
    BiFunction<String, Integer, Binding> binder) {

  public Workplace {
    environment = Map.copyOf(environment);
    devices = List.copyOf(devices);
  }
}
