package dev.holdfast.control.entry;

import dev.holdfast.core.policy.Rung;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Of decisions and of the actions that carry them out. */
public sealed interface DecisionEntry extends Entry {
  /**
   * @param subject what it is done to, a node or a device
   * @param reason the rule's reason and what was weighed
   * @param held what holds it back, when it is held
   * @param alternatives what else could have been done, each with what it would cost
   * @param actor who decided: {@code holdfast}, a person, a launcher
   */
  record Decided(
      String decision,
      String incident,
      String rule,
      Rung rung,
      String subject,
      Stand stand,
      String reason,
      String held,
      List<String> alternatives,
      String actor)
      implements DecisionEntry {
    public Decided {
      alternatives = List.copyOf(alternatives);
    }

    @Override
    public String kind() {
      return "decision.made";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map(
          "decision",
          decision,
          "incident",
          Entry.some(incident),
          "rule",
          Entry.some(rule),
          "rung",
          rung.word(),
          "subject",
          subject,
          "stand",
          stand.word(),
          "reason",
          reason,
          "held",
          Entry.some(held),
          "alternatives",
          alternatives.isEmpty() ? null : alternatives,
          "actor",
          actor);
    }
  }

  /** It stands otherwise now. */
  record Settled(String decision, Stand stand, String actor, String why) implements DecisionEntry {
    @Override
    public String kind() {
      return "decision.settled";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("decision", decision, "stand", stand.word(), "actor", actor, "why", why);
    }
  }

  /** A person says it was wrong: the trust ledger counts it. */
  record Wrong(String decision, String actor, String why) implements DecisionEntry {
    @Override
    public String kind() {
      return "decision.wrong";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("decision", decision, "actor", actor, "why", why);
    }
  }

  /** Something is asked of a source; durable before it can be fetched. */
  record Intended(String decision, String target, Request request) implements DecisionEntry {
    @Override
    public String kind() {
      return "action.intended";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("decision", decision, "target", target, "request", request.json());
    }
  }

  record Ended(String action, Answer answer, String detail) implements DecisionEntry {
    @Override
    public String kind() {
      return "action.ended";
    }

    @Override
    public Map<String, @Nullable Object> json() {
      return Json.map("action", action, "answer", answer.word(), "detail", detail);
    }
  }

  static DecisionEntry of(String kind, Fields fields) {
    return switch (kind) {
      case "decision.made" ->
          new Decided(
              fields.text("decision"),
              fields.text("incident", ""),
              fields.text("rule", ""),
              Rung.of(fields.text("rung")),
              fields.text("subject"),
              Stand.of(fields.text("stand")),
              fields.text("reason"),
              fields.text("held", ""),
              fields.texts("alternatives"),
              fields.text("actor"));
      case "decision.settled" ->
          new Settled(
              fields.text("decision"),
              Stand.of(fields.text("stand")),
              fields.text("actor"),
              fields.text("why"));
      case "decision.wrong" ->
          new Wrong(fields.text("decision"), fields.text("actor"), fields.text("why"));
      case "action.intended" ->
          new Intended(
              fields.text("decision"), fields.text("target"), Request.of(fields.object("request")));
      case "action.ended" ->
          new Ended(
              fields.text("action"),
              fields.word("answer", Answer.class),
              fields.text("detail", ""));
      default -> throw Entry.unknown(kind);
    };
  }
}
