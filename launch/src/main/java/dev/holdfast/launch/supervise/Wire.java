package dev.holdfast.launch.supervise;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Orders and events as lines of JSON, one each. */
public final class Wire {
  /** The longest line either side takes; a start order carries the environment of each rank. */
  public static final int LONGEST_LINE = 16 << 20;

  private static final int QUOTED = 80;

  /** A line without its end. */
  public String line(Order order) {
    return Json.line(
        switch (order) {
          case Order.Start start ->
              tree(
                  "start",
                  "attempt",
                  start.attempt(),
                  "ranks",
                  start.ranks().stream().map(Wire::rank).toList());
          case Order.Stop stop ->
              tree("stop", "attempt", stop.attempt(), "graceMillis", stop.grace().toMillis());
          case Order.Prepare prepare ->
              tree("prepare", "rank", rank(prepare.spec()), "without", prepare.without());
          case Order.Dismiss _ -> tree("dismiss");
          case Order.Signal signal ->
              tree("signal", "rank", signal.rank(), "signal", signal.signal());
          case Order.Lease lease -> tree("lease", "untilNanos", lease.untilNanos());
          case Order.Keep keep -> tree("keep", "name", keep.name(), "parts", keep.parts());
          case Order.StartService service ->
              tree(
                  "startService",
                  "name",
                  service.name(),
                  "command",
                  service.command(),
                  "environment",
                  service.environment());
          case Order.StopService service -> tree("stopService", "name", service.name());
          case Order.Finish finish -> tree("finish", "exitCode", finish.exitCode());
        });
  }

  public String line(Event event) {
    return EventForm.line(event);
  }

  /**
   * The order of a line.
   *
   * @throws IllegalArgumentException when it is none, naming what is wrong
   */
  public Order order(String line) {
    try {
      Fields fields = Fields.of("order", Json.read(bounded(line)));
      return order(fields.text("kind"), fields);
    } catch (IllegalArgumentException problem) {
      throw wrong("order", line, problem);
    }
  }

  /**
   * The event of a line.
   *
   * @throws IllegalArgumentException when it is none, naming what is wrong
   */
  public Event event(String line) {
    try {
      return EventForm.event(Fields.of("event", Json.read(bounded(line))));
    } catch (IllegalArgumentException problem) {
      throw wrong("event", line, problem);
    }
  }

  private Order order(String kind, Fields fields) {
    return switch (kind) {
      case "start" ->
          new Order.Start(
              fields.integer("attempt"), fields.objects("ranks").stream().map(Wire::rank).toList());
      case "stop" ->
          new Order.Stop(
              fields.integer("attempt"), Duration.ofMillis(fields.number("graceMillis")));
      case "prepare" -> new Order.Prepare(rank(fields.object("rank")), fields.texts("without"));
      case "dismiss" -> new Order.Dismiss();
      case "signal" -> new Order.Signal(fields.integer("rank"), fields.integer("signal"));
      case "lease" -> new Order.Lease(fields.number("untilNanos"));
      case "keep" -> new Order.Keep(fields.text("name"), fields.texts("parts"));
      case "startService" ->
          new Order.StartService(
              fields.text("name"), fields.texts("command"), fields.textMap("environment"));
      case "stopService" -> new Order.StopService(fields.text("name"));
      case "finish" -> new Order.Finish(fields.integer("exitCode"));
      default -> throw new IllegalArgumentException("no order '" + kind + "'");
    };
  }

  private static Map<String, @Nullable Object> rank(RankSpec spec) {
    return Json.map(
        "rank", spec.rank(),
        "localRank", spec.localRank(),
        "command", spec.command(),
        "environment", spec.environment(),
        "folder", spec.folder(),
        "keep", spec.keep(),
        "show", spec.show(),
        "prefix", spec.prefix(),
        "cpus", spec.cpus());
  }

  private static RankSpec rank(Fields fields) {
    List<String> command = fields.texts("command");
    if (command.isEmpty()) {
      throw new IllegalArgumentException("rank " + fields.number("rank") + " without a command");
    }
    return new RankSpec(
        fields.integer("rank"),
        fields.integer("localRank"),
        command,
        fields.textMap("environment"),
        fields.text("folder"),
        fields.integer("keep"),
        fields.integer("show"),
        fields.text("prefix"),
        fields.text("cpus"));
  }

  /** A tree whose kind comes first. */
  static Map<String, @Nullable Object> tree(String kind, @Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> tree = Json.map("kind", kind);
    tree.putAll(Json.map(namesAndValues));
    return tree;
  }

  private static String bounded(String line) {
    if (line.length() > LONGEST_LINE) {
      throw new IllegalArgumentException("a line of more than " + LONGEST_LINE + " characters");
    }
    return line;
  }

  private static IllegalArgumentException wrong(
      String what, String line, IllegalArgumentException problem) {
    String start = line.length() <= QUOTED ? line : line.substring(0, QUOTED) + "…";
    return new IllegalArgumentException(
        "not an " + what + ": " + problem.getMessage() + ", in: " + start, problem);
  }
}
