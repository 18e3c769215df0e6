package dev.holdfast.control.slurm;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is wrong with Slurm itself, told once when it begins and once when it is over. */
final class SlurmTroubles {
  static final String AWAY = "slurm.controller";
  static final String CLOCK = "slurm.clock";

  /** What two machines that keep time do not reach; Slurm tells whole seconds. */
  private static final Duration APART = Duration.ofSeconds(5);

  /** An earlier life may have told it. */
  private boolean away = true;

  private boolean apart = true;

  List<Statement> away(String source, String why, Optional<Instant> good) {
    if (away && good.isPresent()) {
      return List.of();
    }
    away = true;
    return List.of(
        raised(
            AWAY,
            source,
            "Slurm does not answer: " + why,
            new Evidence("last good answer", good.map(Times::show).orElse("none yet")),
            "What Slurm said last is taken to hold. Nodes are not drained and jobs not requeued until it answers.",
            "See `scontrol ping` and slurmctld's log."));
  }

  List<Statement> back(String source) {
    boolean was = away;
    away = false;
    return was
        ? List.of(new Statement.Cleared(AWAY, new Subject.Source(source), "it answers"))
        : List.of();
  }

  List<Statement> clock(String source, Optional<Duration> ahead) {
    boolean now = ahead.map(it -> it.abs().compareTo(APART) > 0).orElse(false);
    if (now) {
      apart = true;
      Duration apartBy = ahead.orElseThrow();
      String seconds = Long.toString(apartBy.abs().toSeconds());
      String way = apartBy.isNegative() ? "behind" : "ahead of";
      return List.of(
          raised(
              CLOCK,
              source,
              "the clock of slurmctld is %s s %s the control plane's".formatted(seconds, way),
              new Evidence("scontrol show config", apartBy.toSeconds() + " s"),
              "Times of jobs and reasons that Slurm tells are off by that; what is decided does not depend on them.",
              "Have both machines keep time: chronyc tracking."));
    }
    boolean was = apart;
    apart = false;
    return was
        ? List.of(new Statement.Cleared(CLOCK, new Subject.Source(source), "the clocks agree"))
        : List.of();
  }

  private static Statement raised(
      String check,
      String source,
      String summary,
      Evidence evidence,
      String meaning,
      String remedy) {
    return new Statement.Raised(
        new Finding(
            check,
            new Subject.Source(source),
            Finding.Kind.CONDITION,
            Severity.WARNING,
            FaultClass.SOFTWARE,
            Proof.RECORDED,
            summary,
            Optional.empty(),
            List.of(evidence),
            meaning,
            remedy),
        1);
  }
}
