package dev.holdfast.agent.tell;

import dev.holdfast.agent.memory.Change;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.FindingForm;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.doctor.check.CheckResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What of the checks' answers is news?
 *
 * <p>A condition is told when it begins and when it becomes another one: other severity, other
 * words. Figures in the words that go up and down are no news. It is told to be over only when its
 * check looked at everything it asks about and did not find it any more, and the part it concerns
 * is still there: neither a skip nor a part that vanished makes anything well. A condition that
 * comes and goes is held until it stays away for a while.
 *
 * <p>What was told is remembered with the reports themselves, so a restart neither repeats it nor
 * forgets that it holds.
 */
public final class Teller {
  private static final String HELD = "held/";
  private static final String HAPPENED = "happened/";
  private static final Pattern FIGURES = Pattern.compile("[0-9]+([.,][0-9]+)*");

  private final Memory memory;
  private final InstantSource clock;
  private final Flapping flapping = new Flapping();
  private final Storms storms = new Storms();
  private volatile Predicate<Subject> present = _ -> true;

  public Teller(Memory memory, InstantSource clock) {
    this.memory = memory;
    this.clock = clock;
  }

  /** Which parts the node has; a condition of one that vanished is not over. */
  public void present(Predicate<Subject> parts) {
    present = parts;
  }

  public synchronized void took(List<CheckResult> results) {
    for (CheckResult result : results) {
      took(result.info().id(), result.outcome(), result.partial(), result.findings(), "");
    }
  }

  /** The answer of something that is no check of the doctor; looked at everything it asks about. */
  public synchronized void took(String check, List<Finding> findings, String why) {
    took(check, Outcome.PASS, false, findings, why);
  }

  private void took(
      String check, Outcome outcome, boolean partial, List<Finding> findings, String why) {
    Change change = new Change();
    Instant now = clock.instant();
    Set<String> found = new HashSet<>();
    for (Finding finding : findings) {
      String name = finding.check() + " " + finding.subject();
      if (!finding.severity().atLeast(Severity.WARNING) || !found.add(name)) {
        continue;
      }
      if (finding.kind() == Finding.Kind.EVENT) {
        happened(name, finding, now, change);
      } else {
        holds(name, finding, now, change);
      }
    }
    if (outcome != Outcome.SKIP && !partial) {
      over(check, found, now, why, change);
    }
    if (!change.isEmpty()) {
      boolean _ = memory.commit(change);
    }
  }

  private void holds(String name, Finding finding, Instant now, Change change) {
    flapping.seen(name);
    boolean known =
        memory
            .fact(HELD + name)
            .map(tree -> FindingForm.of(Fields.of("finding", tree)))
            .filter(told -> same(told, finding))
            .isPresent();
    if (!known) {
      change.set(HELD + name, FindingForm.json(finding));
      change.say(now, new Statement.Raised(finding, 1 + flapping.swallowed(name)));
      flapping.told(name, now);
    }
  }

  private static boolean same(Finding told, Finding now) {
    return told.severity() == now.severity()
        && told.proof() == now.proof()
        && told.rowProof().equals(now.rowProof())
        && told.faultClass() == now.faultClass()
        && words(told).equals(words(now));
  }

  private static String words(Finding finding) {
    return FIGURES.matcher(finding.summary()).replaceAll("#");
  }

  /** An event that a check tells as long as it remembers it is told once, and again when worse. */
  private void happened(String name, Finding finding, Instant now, Change change) {
    boolean known =
        memory
            .fact(HAPPENED + name)
            .map(word -> Severity.valueOf(String.valueOf(word)))
            .filter(before -> before.atLeast(finding.severity()))
            .isPresent();
    if (!known) {
      change.set(HAPPENED + name, finding.severity().name());
      change.say(now, new Statement.Raised(finding, 1));
    }
  }

  private void over(String check, Set<String> found, Instant now, String why, Change change) {
    for (String key : memory.facts(HELD + check + " ").keySet()) {
      String name = key.substring(HELD.length());
      Subject subject = Subject.parse(name.substring(check.length() + 1));
      if (!found.contains(name) && present.test(subject) && flapping.mayEnd(name, now)) {
        change.set(key, null);
        String words = why.isEmpty() ? "the check looked again and it is not there" : why;
        change.say(now, new Statement.Cleared(check, subject, words));
        flapping.told(name, now);
      }
    }
    for (String key : memory.facts(HAPPENED + check + " ").keySet()) {
      if (!found.contains(key.substring(HAPPENED.length()))) {
        change.set(key, null);
      }
    }
  }

  /** What somebody else found: a condition as by a check, an event at once or counted. */
  public synchronized boolean raised(Finding finding, long count) {
    Instant now = clock.instant();
    Change change = new Change();
    if (finding.kind() == Finding.Kind.EVENT) {
      storms.take(finding, count, now).forEach(statement -> change.say(now, statement));
    } else {
      holds(finding.check() + " " + finding.subject(), finding, now, change);
    }
    return commit(change, count, now);
  }

  /** A condition that somebody else found is over. */
  public synchronized boolean cleared(String check, Subject subject, String why) {
    String key = HELD + check + " " + subject;
    Instant now = clock.instant();
    Change change = new Change();
    if (memory.fact(key).isPresent()) {
      change.set(key, null).say(now, new Statement.Cleared(check, subject, why));
    }
    return commit(change, 1, now);
  }

  /** Any other statement. */
  public synchronized boolean say(Statement statement) {
    Instant now = clock.instant();
    return commit(new Change().say(now, statement), 1, now);
  }

  /** What was only counted so far, when its time has come. */
  public synchronized void count() {
    Instant now = clock.instant();
    Change change = new Change();
    storms.over(now).forEach(statement -> change.say(now, statement));
    commit(change, 1, now);
  }

  private boolean commit(Change change, long count, Instant now) {
    if (change.isEmpty() || memory.commit(change)) {
      return true;
    }
    memory.lose(count, now);
    return false;
  }

  /** What was told in a life nobody remembers; the checks will say whether it still holds. */
  public synchronized void adopt(List<Finding> findings) {
    Change change = new Change();
    for (Finding finding : findings) {
      String key = HELD + finding.check() + " " + finding.subject();
      if (finding.kind() == Finding.Kind.CONDITION && memory.fact(key).isEmpty()) {
        change.set(key, FindingForm.json(finding));
      }
    }
    if (!change.isEmpty()) {
      boolean _ = memory.commit(change);
    }
  }

  /** Everything that holds, to be said again to whoever forgot it. */
  public synchronized List<Statement> standing() {
    List<Statement> standing = new ArrayList<>();
    memory
        .facts(HELD)
        .values()
        .forEach(
            tree ->
                standing.add(new Statement.Raised(FindingForm.of(Fields.of("finding", tree)), 1)));
    return standing;
  }

  /** What holds now. */
  public List<Finding> holding() {
    return memory.facts(HELD).values().stream()
        .map(tree -> FindingForm.of(Fields.of("finding", tree)))
        .toList();
  }
}
