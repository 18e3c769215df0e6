package dev.holdfast.agent.local;

import dev.holdfast.agent.tell.Teller;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who may say what? Root and the agent's own user speak of this node and of any job; anybody else
 * only of jobs that are theirs. Nobody speaks of another node, or for the agent itself.
 */
public final class LocalRules implements LocalReports.Hearing {
  private static final int MOST_JOBS = 10_000;

  /** With whose it is and when it was said, it must still fit into a report. */
  private static final int MOST_CHARACTERS = Report.MAX_LINE - 1024;

  private final String node;
  private final String self;
  private final Teller teller;
  private final Launchers launchers;
  private final Map<String, String> owners =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST_JOBS;
        }
      };

  public LocalRules(String node, String self, Teller teller, Launchers launchers) {
    this.node = node;
    this.self = self;
    this.teller = teller;
    this.launchers = launchers;
  }

  @Override
  public void gone(LocalPeer peer) {
    launchers.gone(peer);
  }

  /** Whatever a line is, whoever sent it is told, and the agent goes on. */
  @Override
  public synchronized String take(LocalPeer peer, String line) {
    try {
      return taken(peer, line);
    } catch (RuntimeException | StackOverflowError wrong) {
      return "it cannot be taken: " + wrong;
    }
  }

  private String taken(LocalPeer peer, String line) {
    String user = peer.user();
    Statement statement;
    try {
      statement = Statement.of(Fields.of("report", Json.object(line)));
    } catch (IllegalArgumentException wrong) {
      return String.valueOf(wrong.getMessage());
    }
    if (Json.line(statement.json()).length() > MOST_CHARACTERS) {
      return "more than " + MOST_CHARACTERS + " characters when it is written out";
    }
    if (statement instanceof Statement.Answered answer) {
      return launchers.answered(answer, peer);
    }
    boolean trusted = user.equals("root") || user.equals(self);
    String no = objection(user, trusted, statement);
    if (!no.isEmpty()) {
      return no;
    }
    boolean kept =
        switch (statement) {
          case Statement.Raised(Finding finding, long count) ->
              teller.raised(finding, Math.max(1, count));
          case Statement.Cleared(String check, Subject subject, String why) ->
              teller.cleared(check, subject, why);
          case Statement.JobTold(JobDescription job) -> {
            launchers.told(job, peer);
            yield teller.say(statement);
          }
          default -> teller.say(statement);
        };
    return kept ? "" : "too much waits for the control plane; lost";
  }

  private String objection(String user, boolean trusted, Statement statement) {
    return switch (statement) {
      case Statement.Raised raised -> objection(user, trusted, raised.finding().subject());
      case Statement.Cleared cleared -> objection(user, trusted, cleared.subject());
      case Statement.JobStepped(JobProgress progress) ->
          objection(user, trusted, new Subject.Job(progress.job(), -1));
      case Statement.JobDecided decided ->
          objection(user, trusted, new Subject.Job(decided.job(), -1));
      case Statement.JobTold(JobDescription job) -> {
        String owner = owners.getOrDefault(job.job(), user);
        if (!trusted && !(owner.equals(user) && job.user().equals(user))) {
          yield "job " + job.job() + " is not one of " + user;
        }
        owners.put(job.job(), job.user());
        yield "";
      }
      case Statement.External _,
          Statement.Described _,
          Statement.Scheduled _,
          Statement.Lost _,
          Statement.Answered _,
          Statement.Refused _,
          Statement.Unknown _ ->
          "'" + statement.kind() + "' is not taken here";
    };
  }

  private String objection(String user, boolean trusted, Subject subject) {
    return switch (subject) {
      case Subject.Node it -> ofNode(trusted, it.node(), subject);
      case Subject.Part it -> ofNode(trusted, it.node(), subject);
      case Subject.Job it ->
          trusted || user.equals(owners.get(it.job()))
              ? ""
              : "job " + it.job() + " is not known as one of " + user;
      default -> trusted ? "" : user + " may speak only of jobs of its own";
    };
  }

  private String ofNode(boolean trusted, String other, Subject subject) {
    if (!other.equals(node)) {
      return subject + " is not of this node";
    }
    return trusted ? "" : "only root and the agent's user may speak of the node";
  }
}
