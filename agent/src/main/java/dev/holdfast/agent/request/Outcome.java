package dev.holdfast.agent.request;

import dev.holdfast.core.report.Statement.Answer;

/** What came of a request. */
public record Outcome(Answer answer, String detail) {}
