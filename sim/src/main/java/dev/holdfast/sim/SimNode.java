package dev.holdfast.sim;

import dev.holdfast.core.health.Finding;
import dev.holdfast.core.report.Request;
import dev.holdfast.core.report.Statement;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The agent of a node that is not there: holds its faults, answers what is asked of it. */
final class SimNode {
  private static final int WAIT_SECONDS = 25;

  private final Source source;
  private final Line line;
  private final String name;
  private final Map<String, Finding> faults = new ConcurrentHashMap<>();
  private final Set<String> answered = new HashSet<>();
  private volatile boolean silent;

  SimNode(String name, Source source, Line line) {
    this.name = name;
    this.source = source;
    this.line = line;
  }

  Source source() {
    return source;
  }

  /** Something breaks. */
  void breaks(Finding finding) {
    faults.put(key(finding), finding);
    source.say(new Statement.Raised(finding, 1));
  }

  /** It is mended. */
  void mends(Finding finding) {
    if (faults.remove(key(finding)) != null) {
      source.say(new Statement.Cleared(finding.check(), finding.subject(), "works again"));
    }
  }

  /** The check that found the worst of it, empty: nothing is broken. */
  String worst() {
    return faults.values().stream()
        .max(Comparator.comparing(Finding::severity))
        .map(Finding::check)
        .orElse("");
  }

  boolean broken() {
    return !faults.isEmpty();
  }

  void silent(boolean yes) {
    silent = yes;
  }

  private static String key(Finding finding) {
    return finding.check() + " " + finding.subject();
  }

  /** One round of the agent: fetch, carry out, tell. */
  void round() throws IOException, InterruptedException {
    if (silent) {
      Thread.sleep(1_000);
      return;
    }
    for (Request request : line.asked(source.name(), WAIT_SECONDS)) {
      if (answered.add(request.id())) {
        answer(request);
      }
    }
    source.send();
  }

  private void answer(Request request) {
    Statement.Answer answer = Statement.Answer.DONE;
    String detail = "done";
    if (request.kind() == Request.Kind.VERIFY) {
      List<String> still =
          faults.values().stream()
              .map(Finding::check)
              .filter(it -> request.checks().contains(it))
              .toList();
      answer = still.isEmpty() ? Statement.Answer.DONE : Statement.Answer.FAILED;
      detail = still.isEmpty() ? request.checks() + " pass" : still + " still fail on " + name;
    }
    source.say(new Statement.Answered(request.id(), answer, detail));
  }
}
