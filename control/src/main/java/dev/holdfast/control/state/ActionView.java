package dev.holdfast.control.state;

import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement.Answer;
import java.time.Instant;
import java.util.Optional;

/** Something asked of a source, and what came of it. */
public record ActionView(
    String decision,
    String target,
    Request request,
    Instant at,
    Optional<Answer> answer,
    String detail,
    Optional<Instant> ended) {

  ActionView answered(Answer how, String what, Instant when) {
    return new ActionView(decision, target, request, at, Optional.of(how), what, Optional.of(when));
  }
}
