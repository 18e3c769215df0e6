package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
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

  /** Where it is: its node, or what nodes hang on, or itself. */
  public String place() {
    return switch (subject) {
      case Subject.Node node -> node.node();
      case Subject.Part part -> part.node();
      case Subject.Switch it -> placeOf(new Cause("leaf", it.name()));
      case Subject.Volume it -> placeOf(new Cause("volume", it.name()));
      case Subject.Link _, Subject.Job _, Subject.Source _ -> subject.toString();
    };
  }

  /** Where findings are that are about what nodes share, and about none of them. */
  public static String placeOf(Cause cause) {
    return cause.toString();
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
