package dev.holdfast.agent.local;

import dev.holdfast.agent.tell.Teller;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobName;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.nio.file.Path;

/**
 * Who may say what? Root and the agent's own user speak of this node and of any job; anybody else
 * only of jobs that are theirs, under names that nobody else has. Nobody speaks of another node, or
 * for the agent itself.
 */
public final class LocalRules implements LocalReports.Hearing {
  /** With whose it is and when it was said, it must still fit into a report. */
  private static final int MOST_CHARACTERS = Report.MAX_LINE - 1024;

  private final String node;
  private final String self;
  private final Teller teller;
  private final Launchers launchers;
  private final SchedulerJobs schedulers;

  /** Who speaks, and what is found about that. */
  private record Speaker(LocalPeer peer, boolean trusted, boolean proven) {
    String user() {
      return peer.user();
    }
  }

  public LocalRules(String node, String self, Teller teller, Launchers launchers) {
    this(node, self, teller, launchers, new SchedulerJobs(Path.of("/proc"), System::nanoTime));
  }

  LocalRules(
      String node, String self, Teller teller, Launchers launchers, SchedulerJobs schedulers) {
    this.node = node;
    this.self = self;
    this.teller = teller;
    this.launchers = launchers;
    this.schedulers = schedulers;
  }

  @Override
  public void gone(LocalPeer peer) {
    launchers.gone(peer);
  }

  /** Whatever a line is, whoever sent it is told, and the agent goes on. */
  @Override
  public Taken take(LocalPeer peer, String line) {
    try {
      Statement said;
      try {
        said = Statement.of(Fields.of("report", Json.object(line)));
      } catch (IllegalArgumentException wrong) {
        return Taken.not(String.valueOf(wrong.getMessage()));
      }
      if (Json.line(said.json()).length() > MOST_CHARACTERS) {
        return Taken.not("more than " + MOST_CHARACTERS + " characters when it is written out");
      }
      boolean trusted = peer.user().equals("root") || peer.user().equals(self);
      // Looking at all processes takes a while, and others must not wait for it.
      Speaker speaker = new Speaker(peer, trusted, trusted || proven(peer.user(), said));
      synchronized (this) {
        return taken(speaker, said);
      }
    } catch (RuntimeException | StackOverflowError wrong) {
      return Taken.not("it cannot be taken, which is a defect of this agent");
    }
  }

  private boolean proven(String user, Statement said) {
    String job =
        switch (said) {
          case Statement.JobTold told when told.job().user().equals(user) -> told.job().job();
          case Statement.JobHere here when here.user().equals(user) -> here.job();
          default -> "";
        };
    return !SchedulerJobs.named(job) || schedulers.has(user, job);
  }

  private Taken taken(Speaker speaker, Statement said) {
    return switch (said) {
      case Statement.Answered answer -> Taken.not(launchers.answered(answer, speaker.peer()));
      case Statement.JobTold(JobDescription job) -> told(speaker, job);
      case Statement.JobHere here -> here(speaker, here);
      case Statement.JobStepped(JobProgress it) -> {
        String name = known(speaker, it.job());
        yield name.isEmpty()
            ? stranger(speaker, it.job())
            : kept(teller.say(new Statement.JobStepped(it.named(name))));
      }
      case Statement.JobDecided it -> {
        String name = known(speaker, it.job());
        yield name.isEmpty()
            ? stranger(speaker, it.job())
            : kept(
                teller.say(
                    new Statement.JobDecided(
                        name, it.attempt(), it.choice(), it.without(), it.why())));
      }
      case Statement.Raised(Finding finding, long count) -> {
        Subject subject = meant(speaker, finding.subject());
        String no = objection(speaker, subject);
        yield no.isEmpty()
            ? kept(teller.raised(finding.about(subject), Math.max(1, count)))
            : Taken.not(no);
      }
      case Statement.Cleared(String check, Subject of, String why) -> {
        Subject subject = meant(speaker, of);
        String no = objection(speaker, subject);
        yield no.isEmpty() ? kept(teller.cleared(check, subject, why)) : Taken.not(no);
      }
      case Statement.External _,
          Statement.Described _,
          Statement.Scheduled _,
          Statement.Lost _,
          Statement.Refused _,
          Statement.Unknown _ ->
          Taken.not("'" + said.kind() + "' is not taken here");
    };
  }

  private Taken told(Speaker speaker, JobDescription job) {
    String no = own(speaker, job.job(), job.user());
    String name = launchers.name(job.job(), job.user(), speaker.proven());
    if (no.isEmpty() && !job.state().over()) {
      no = launchers.room(name, job.user(), speaker.trusted());
    }
    if (!no.isEmpty()) {
      return Taken.not(no);
    }
    JobDescription named = job.named(name);
    launchers.told(named, speaker.peer(), speaker.trusted());
    return kept(teller.say(new Statement.JobTold(named)), job.job(), name);
  }

  private Taken here(Speaker speaker, Statement.JobHere told) {
    String no = own(speaker, told.job(), told.user());
    String name = launchers.name(told.job(), told.user(), speaker.proven());
    if (no.isEmpty() && told.here()) {
      no = launchers.room(name, told.user(), speaker.trusted());
    }
    if (!no.isEmpty()) {
      return Taken.not(no);
    }
    Statement.JobHere named = new Statement.JobHere(name, told.user(), told.here());
    boolean fresh = launchers.here(named, speaker.peer(), speaker.trusted());
    return kept(!fresh || teller.say(named), told.job(), name);
  }

  /** Whether a job may be told of as one of that user. */
  private static String own(Speaker speaker, String job, String user) {
    if (!speaker.trusted() && !user.equals(speaker.user())) {
      return "job " + job + " is not one of " + speaker.user();
    }
    return speaker.trusted() || !JobName.borrowed(job, user)
        ? ""
        : "job " + job + " has the name of another user behind it";
  }

  /** What a speaker calls a job, under the name it has here; empty: none of its own. */
  private String known(Speaker speaker, String job) {
    return launchers.known(job, speaker.user()).orElse(speaker.trusted() ? job : "");
  }

  private static Taken stranger(Speaker speaker, String job) {
    return Taken.not("job " + job + " is not known as one of " + speaker.user());
  }

  private Subject meant(Speaker speaker, Subject subject) {
    if (!(subject instanceof Subject.Job job)) {
      return subject;
    }
    String name = known(speaker, job.job());
    return name.isEmpty() ? subject : new Subject.Job(name, job.rank());
  }

  private String objection(Speaker speaker, Subject subject) {
    return switch (subject) {
      case Subject.Node it -> ofNode(speaker, it.node(), subject);
      case Subject.Part it -> ofNode(speaker, it.node(), subject);
      case Subject.Job it ->
          known(speaker, it.job()).isEmpty() ? stranger(speaker, it.job()).problem() : "";
      default -> speaker.trusted() ? "" : speaker.user() + " may speak only of jobs of its own";
    };
  }

  private String ofNode(Speaker speaker, String other, Subject subject) {
    if (!other.equals(node)) {
      return subject + " is not of this node";
    }
    return speaker.trusted() ? "" : "only root and the agent's user may speak of the node";
  }

  private static Taken kept(boolean kept) {
    return kept ? Taken.WELL : Taken.not("too much waits for the control plane; lost");
  }

  /** With what became of what was said of the job before, which is known only now. */
  private Taken kept(boolean kept, String job, String name) {
    String denied = launchers.denied(name);
    if (!kept || denied.isEmpty()) {
      return kept ? new Taken("", name.equals(job) ? "" : name) : kept(false);
    }
    return Taken.not("the control plane did not take what was said of job " + job + ": " + denied);
  }
}
