package dev.holdfast.control.state;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;

/** What makes two findings the same one: the same check says it of the same subject. */
public record FindingKey(String check, Subject subject) {
  public static FindingKey of(Finding finding) {
    return new FindingKey(finding.check(), finding.subject());
  }

  /** The node it is about, empty when it is about none. */
  public String node() {
    return nodeOf(subject);
  }

  public static String nodeOf(Subject subject) {
    return switch (subject) {
      case Subject.Node node -> node.node();
      case Subject.Part part -> part.node();
      case Subject.Switch _, Subject.Link _, Subject.Job _, Subject.Volume _, Subject.Source _ ->
          "";
    };
  }
}
