package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A launcher that takes part in a job.
 *
 * @param node the name people know the node by
 * @param incarnation tells this launcher from an earlier one on the same node; grows with time
 * @param host where other launchers reach it
 * @param port where other launchers reach it
 * @param processes how many ranks it starts
 * @param order where it stands among the others by topology, the lowest first; ties by name
 */
public record Member(
    String node, long incarnation, String host, int port, int processes, int order) {

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "node",
        node,
        "incarnation",
        incarnation,
        "host",
        host,
        "port",
        port,
        "processes",
        processes,
        "order",
        order);
  }

  public static Member of(Fields fields) {
    return new Member(
        fields.text("node"),
        fields.number("incarnation"),
        fields.text("host"),
        fields.integer("port"),
        fields.integer("processes"),
        fields.integer("order"));
  }
}
