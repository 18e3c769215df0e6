package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a launcher knows of its own node.
 *
 * @param node the name people know it by
 * @param order where it stands among the others, as the platform counts; lowest first
 * @param address where others reach it; empty: the address the meeting is reached from
 * @param processes how many ranks it starts
 * @param platform who started us: {@code slurm}, {@code kubernetes}, …, {@code local}
 * @param failureFiles where the platform looks for the reason of a failure; a file whose folder is
 *     missing is not written
 * @param binding where its ranks run
 */
public record Here(
    String node,
    int order,
    String address,
    int processes,
    String platform,
    List<String> failureFiles,
    Binding binding) {

  public Here {
    failureFiles = List.copyOf(failureFiles);
    if (processes < 1) {
      throw new IllegalArgumentException("processes: " + processes);
    }
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "node",
        node,
        "order",
        order,
        "address",
        address,
        "processes",
        processes,
        "platform",
        platform,
        "failureFiles",
        failureFiles,
        "binding",
        binding.json());
  }

  public static Here of(Fields fields) {
    return new Here(
        fields.text("node"),
        fields.integer("order"),
        fields.text("address"),
        fields.integer("processes"),
        fields.text("platform"),
        fields.texts("failureFiles"),
        Binding.of(fields.object("binding")));
  }
}
