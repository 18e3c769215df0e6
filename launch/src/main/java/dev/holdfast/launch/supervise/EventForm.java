package dev.holdfast.launch.supervise;

import static dev.holdfast.launch.supervise.Wire.tree;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.supervise.Event.RankState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of {@link Wire}. */
final class EventForm {
  private EventForm() {}

  static String line(Event event) {
    return Json.line(
        switch (event) {
          case Event.Ready it ->
              tree(
                  "ready",
                  "earlier",
                  it.earlier(),
                  "attempt",
                  it.attempt(),
                  "ranks",
                  it.ranks().stream().map(EventForm::state).toList(),
                  "services",
                  it.services(),
                  "guarantee",
                  it.guarantee(),
                  "kept",
                  it.kept());
          case Event.Started it ->
              tree(
                  "started",
                  "attempt",
                  it.attempt(),
                  "rank",
                  it.rank(),
                  "pid",
                  it.pid(),
                  "warm",
                  it.warm());
          case Event.StandbyReady it ->
              tree("standbyReady", "localRank", it.localRank(), "pid", it.pid());
          case Event.StandbyLost it ->
              tree(
                  "standbyLost",
                  "localRank",
                  it.localRank(),
                  "module",
                  it.module(),
                  "why",
                  it.why());
          case Event.NotStarted it ->
              tree("notStarted", "attempt", it.attempt(), "rank", it.rank(), "why", it.why());
          case Event.Exited it ->
              tree(
                  "exited",
                  "attempt",
                  it.attempt(),
                  "rank",
                  it.rank(),
                  "exitCode",
                  it.exitCode(),
                  "signal",
                  it.signal(),
                  "stoppedByUs",
                  it.stoppedByUs(),
                  "atMillis",
                  it.atMillis());
          case Event.Output it ->
              tree("output", "attempt", it.attempt(), "rank", it.rank(), "bytes", it.bytes());
          case Event.Stopped it -> tree("stopped", "attempt", it.attempt(), "left", it.left());
          case Event.Asked it -> tree("asked", "signal", it.signal());
          case Event.LeaseLost it -> tree("leaseLost", "attempt", it.attempt());
          case Event.ServiceLine it -> tree("serviceLine", "name", it.name(), "line", it.line());
          case Event.ServiceEnded it ->
              tree(
                  "serviceEnded",
                  "name",
                  it.name(),
                  "exitCode",
                  it.exitCode(),
                  "signal",
                  it.signal());
          case Event.Trouble it -> tree("trouble", "what", it.what());
        });
  }

  static Event event(Fields fields) {
    return switch (fields.text("kind")) {
      case "ready" ->
          new Event.Ready(
              fields.integer("earlier"),
              fields.integer("attempt"),
              fields.objects("ranks").stream().map(EventForm::state).toList(),
              fields.texts("services"),
              fields.text("guarantee"),
              kept(fields.object("kept")));
      case "started" ->
          new Event.Started(
              fields.integer("attempt"),
              fields.integer("rank"),
              fields.number("pid"),
              fields.flag("warm"));
      case "standbyReady" ->
          new Event.StandbyReady(fields.integer("localRank"), fields.number("pid"));
      case "standbyLost" ->
          new Event.StandbyLost(
              fields.integer("localRank"), fields.text("module"), fields.text("why"));
      case "notStarted" ->
          new Event.NotStarted(
              fields.integer("attempt"), fields.integer("rank"), fields.text("why"));
      case "exited" ->
          new Event.Exited(
              fields.integer("attempt"),
              fields.integer("rank"),
              fields.integer("exitCode"),
              fields.integer("signal"),
              fields.flag("stoppedByUs"),
              fields.number("atMillis"));
      case "output" ->
          new Event.Output(
              fields.integer("attempt"), fields.integer("rank"), fields.number("bytes"));
      case "stopped" -> {
        List<Long> left = fields.integers("left").stream().map(Integer::longValue).toList();
        yield new Event.Stopped(fields.integer("attempt"), left);
      }
      case "asked" -> new Event.Asked(fields.integer("signal"));
      case "leaseLost" -> new Event.LeaseLost(fields.integer("attempt"));
      case "serviceLine" -> new Event.ServiceLine(fields.text("name"), fields.text("line"));
      case "serviceEnded" ->
          new Event.ServiceEnded(
              fields.text("name"), fields.integer("exitCode"), fields.integer("signal"));
      case "trouble" -> new Event.Trouble(fields.text("what"));
      default -> throw new IllegalArgumentException("no event '" + fields.text("kind") + "'");
    };
  }

  private static Map<String, @Nullable Object> state(RankState state) {
    return Json.map(
        "rank", state.rank(),
        "pid", state.pid(),
        "exited", state.exited(),
        "exitCode", state.exitCode(),
        "signal", state.signal(),
        "stoppedByUs", state.stoppedByUs(),
        "atMillis", state.atMillis());
  }

  private static Map<String, List<String>> kept(Fields fields) {
    Map<String, List<String>> kept = new HashMap<>();
    fields.names().forEach(name -> kept.put(name, fields.texts(name)));
    return kept;
  }

  private static RankState state(Fields fields) {
    return new RankState(
        fields.integer("rank"),
        fields.number("pid"),
        fields.flag("exited"),
        fields.integer("exitCode"),
        fields.integer("signal"),
        fields.flag("stoppedByUs"),
        fields.number("atMillis"));
  }
}
