package dev.holdfast.cli.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing that is known: what it is called, what it is in a few words, and what else is to be
 * said, what to do first.
 */
public record Answer(String name, String what, List<Field> fields) {
  /** A labelled text; an empty one is not shown. */
  public record Field(String label, String text) {}

  public Answer {
    fields = List.copyOf(fields);
  }

  static Answer of(String name, String what) {
    return new Answer(name, what, List.of());
  }

  Answer with(String label, String text) {
    if (text.isBlank()) {
      return this;
    }
    List<Field> more = new ArrayList<>(fields);
    more.add(new Field(label, text));
    return new Answer(name, what, more);
  }
}
