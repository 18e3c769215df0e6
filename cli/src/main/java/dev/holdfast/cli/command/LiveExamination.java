package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.node.LiveNode;
import dev.holdfast.doctor.node.LiveProbes;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.snapshot.Blanking;
import dev.holdfast.doctor.snapshot.Snapshot;
import dev.holdfast.os.file.AtomicFile;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * An examination of this machine, with its deadlines, whose counters are kept for the next one.
 *
 * <p>A scheduler waits for a hook, so there everything is shorter; what did not answer is skipped.
 */
record LiveExamination(Places places, Duration call, Duration check, Duration total) {
  static LiveExamination of(boolean hook) {
    Places places = Places.ofThisProcess();
    return hook
        ? new LiveExamination(
            places, Duration.ofMillis(600), Duration.ofMillis(1_000), Duration.ofMillis(1_100))
        : new LiveExamination(
            places, Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofSeconds(30));
  }

  LiveNode node() {
    return new LiveNode(new LiveProbes(places, call, total.multipliedBy(2).dividedBy(3)));
  }

  /** Puts the checks to the node, which is this machine. */
  Report examine(NodeView node, List<Check> checks, Site site, Level level) {
    Doctor.Visit visit = new Doctor(checks, site, check, total).examine(node, level);
    List<String> notes = new ArrayList<>();
    keep(visit.history(), notes);
    return visit.report().withNotes(notes);
  }

  /** Everything the checks read of this machine; nothing is kept. */
  Snapshot snapshot(Blanking blanking) {
    LiveNode node = node();
    Site site = Site.none(LocalDate.now(ZoneOffset.UTC));
    return Snapshot.take(node, checks -> new Doctor(checks, site, check, total), blanking);
  }

  private void keep(History history, List<String> notes) {
    if (history.samples().isEmpty()) {
      return;
    }
    Path file = LiveProbes.history(places);
    try {
      Files.createDirectories(file.getParent());
      AtomicFile.write(file, history.toJson().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      notes.add(
          "%s counters are not kept for the next run: %s (%s)"
              .formatted(ErrorCode.STATE_UNAVAILABLE.code(), file, Failures.why(e)));
    }
  }
}
