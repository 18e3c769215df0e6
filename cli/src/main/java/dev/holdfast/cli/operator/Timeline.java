package dev.holdfast.cli.operator;

import dev.holdfast.core.text.Fields;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened in an incident, in the order it happened, from what is known of its parts. */
final class Timeline {
  private Timeline() {}

  /**
   * @param at as in JSON, which sorts as text
   */
  record Moment(String at, String what) {}

  static List<Moment> of(Fields incident) {
    List<Moment> moments = new ArrayList<>();
    moments.add(new Moment(incident.text("opened"), "opened: " + incident.text("title")));
    for (Fields finding : incident.objects("findingList")) {
      String name = finding.text("check") + " on " + Kind.shortly(finding.text("subject"));
      moments.add(new Moment(finding.text("first"), "found " + name));
      finding
          .optionalText("cleared")
          .ifPresent(it -> moments.add(new Moment(it, "cleared " + name)));
    }
    incident.objects("decisions").forEach(it -> decision(it, moments));
    for (Fields remark : incident.objects("remarks")) {
      moments.add(
          new Moment(remark.text("at"), remark.text("actor") + " noted: " + remark.text("text")));
    }
    incident
        .optionalText("closed")
        .ifPresent(it -> moments.add(new Moment(it, "closed: " + incident.text("closedWhy", ""))));
    moments.sort(Comparator.comparing(Moment::at)); // stable: what came together stays in order
    return moments;
  }

  private static void decision(Fields it, List<Moment> moments) {
    String id = it.text("decision");
    moments.add(
        new Moment(
            it.text("at"),
            "%s %s %s, by %s"
                .formatted(
                    id, it.text("rung"), Kind.shortly(it.text("subject")), it.text("actor"))));
    for (Fields action : it.objects("actions")) {
      String name = id + ": " + action.text("kind") + " asked of " + action.text("target");
      moments.add(new Moment(action.text("at"), name));
      action
          .optionalText("ended")
          .ifPresent(
              ended ->
                  moments.add(
                      new Moment(
                          ended,
                          id + ": " + action.text("kind") + " " + action.text("answer", "ended"))));
    }
    if (it.has("settledWhy")) {
      moments.add(
          new Moment(
              it.text("standSince"),
              id + " " + it.text("stand") + ": " + it.text("settledWhy", "")));
    }
  }
}
