package dev.holdfast.control.entry;

import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.cluster.SchedulerNode;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of nodes. */
public sealed interface NodeEntry extends Entry {
  /** A node says what it is. */
  record Described(NodeDescription node) implements NodeEntry {
    @Override
    public String kind() {
      return "node.described";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("node", node.json());
    }
  }

  /** Nothing was heard of it since then, or something again. */
  record Silent(String node, boolean silent, Instant since) implements NodeEntry {
    @Override
    public String kind() {
      return "node.silent";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("node", node, "silent", silent, "since", Times.show(since));
    }
  }

  /** It goes in or out of service. */
  record Moved(String node, Service to, String incident, String actor, String why)
      implements NodeEntry {
    @Override
    public String kind() {
      return "node.moved";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "node",
          node,
          "to",
          to.word(),
          "incident",
          Entry.some(incident),
          "actor",
          actor,
          "why",
          why);
    }
  }

  /** How it is to its scheduler, and which one that is. */
  record Scheduled(String scheduler, SchedulerNode node, boolean again) implements NodeEntry {
    @Override
    public String kind() {
      return "node.scheduled";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("scheduler", scheduler, "node", node.json(), "again", again ? true : null);
    }
  }

  /** A person's remark. */
  record Noted(String subject, String actor, String text) implements NodeEntry {
    @Override
    public String kind() {
      return "node.noted";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("subject", subject, "actor", actor, "text", text);
    }
  }

  static NodeEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "node.described" -> new Described(NodeDescription.of(fields.object("node")));
      case "node.silent" ->
          new Silent(fields.text("node"), fields.flag("silent"), Times.read(fields.text("since")));
      case "node.moved" ->
          new Moved(
              fields.text("node"),
              Service.of(fields.text("to")),
              fields.text("incident", ""),
              fields.text("actor"),
              fields.text("why"));
      case "node.scheduled" ->
          new Scheduled(
              fields.text("scheduler"),
              SchedulerNode.of(fields.object("node")),
              fields.flag("again"));
      case "node.noted" ->
          new Noted(fields.text("subject"), fields.text("actor"), fields.text("text"));
      default -> throw Entry.unknown(kind);
    };
  }
}
