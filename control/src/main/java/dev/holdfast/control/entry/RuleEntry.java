package dev.holdfast.control.entry;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of the rules by which is decided, and of what stops them all. */
public sealed interface RuleEntry extends Entry {
  /** This policy holds from now on. */
  record PolicySet(String yaml, String actor) implements RuleEntry {
    @Override
    public String kind() {
      return "rule.policy";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("yaml", yaml, "actor", actor);
    }
  }

  /** Nothing acts any more, or may again. */
  record Paused(boolean paused, String actor, String why) implements RuleEntry {
    @Override
    public String kind() {
      return "rule.paused";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("paused", paused, "actor", actor, "why", why);
    }
  }

  /** So much failed at once that nothing is taken out any more, until a person has looked. */
  record Tripped(boolean tripped, String actor, String why) implements RuleEntry {
    @Override
    public String kind() {
      return "rule.tripped";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("tripped", tripped, "actor", actor, "why", why);
    }
  }

  static RuleEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "rule.policy" -> new PolicySet(fields.text("yaml"), fields.text("actor"));
      case "rule.paused" ->
          new Paused(fields.flag("paused"), fields.text("actor"), fields.text("why"));
      case "rule.tripped" ->
          new Tripped(fields.flag("tripped"), fields.text("actor"), fields.text("why"));
      default -> throw Entry.unknown(kind);
    };
  }
}
