package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes make up a job, and where their launchers meet.
 *
 * @param minNodes fewer cannot run the job
 * @param maxNodes more do not take part
 * @param spares nodes beyond {@code maxNodes} that wait for one to fail
 * @param excluded nodes that must not take part
 * @param names the nodes the platform gave us, in its order; empty: not known
 * @param host where the launchers meet
 * @param port where the launchers meet; 0 when nobody else comes: any free one
 * @param hosted whether this launcher is the one that others reach there
 * @param arbiter who decides which launcher leads; none: a majority of the first ones
 */
public record Team(
    int minNodes,
    int maxNodes,
    int spares,
    List<String> excluded,
    List<String> names,
    String host,
    int port,
    boolean hosted,
    Optional<ArbiterPlace> arbiter) {

  /** A team whose first launchers decide by majority. */
  public Team(
      int minNodes,
      int maxNodes,
      int spares,
      List<String> excluded,
      List<String> names,
      String host,
      int port,
      boolean hosted) {
    this(minNodes, maxNodes, spares, excluded, names, host, port, hosted, Optional.empty());
  }

  public Team {
    excluded = List.copyOf(excluded);
    names = List.copyOf(names);
    if (minNodes < 1 || maxNodes < minNodes || spares < 0) {
      throw new IllegalArgumentException(
          "nodes %d:%d with %d spares".formatted(minNodes, maxNodes, spares));
    }
  }

  /** Whether there is nobody to meet. */
  public boolean alone() {
    return maxNodes == 1 && spares == 0;
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "minNodes",
        minNodes,
        "maxNodes",
        maxNodes,
        "spares",
        spares,
        "excluded",
        excluded,
        "names",
        names,
        "host",
        host,
        "port",
        port,
        "hosted",
        hosted,
        "arbiter",
        arbiter.map(ArbiterPlace::json).orElse(null));
  }

  public static Team of(Fields fields) {
    return new Team(
        fields.integer("minNodes"),
        fields.integer("maxNodes"),
        fields.integer("spares"),
        fields.texts("excluded"),
        fields.texts("names"),
        fields.text("host"),
        fields.integer("port"),
        fields.flag("hosted"),
        fields.has("arbiter")
            ? Optional.of(ArbiterPlace.of(fields.object("arbiter")))
            : Optional.empty());
  }
}
