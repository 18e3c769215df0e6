package dev.holdfast.control.state;

import dev.holdfast.control.entry.Entry;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.SourceEntry;
import dev.holdfast.control.state.ClusterState.Stop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is kept of a state in a checkpoint, and what is let go of when it is old. */
final class Keeping {
  private static final String RUN = "run/";

  private Keeping() {}

  /** Names count up for ever; what is in force. */
  record Rest(
      long incidents,
      long decisions,
      long actions,
      long reportsLost,
      long reportsStrange,
      Optional<Stop> pause,
      Optional<Stop> trip,
      Optional<String> policy,
      Trust trust,
      List<Refusals.OfGround> refused) {}

  /** All of it, thing by thing: applied to empty tables they make equal ones. */
  static List<Entry> all(Tables from) {
    List<Entry> all = new ArrayList<>();
    from.nodes.keep(all::add);
    from.findings.keep(all::add);
    from.incidents.keep(all::add);
    from.decisions.keep(all::add);
    from.presences.keep(all::add);
    from.jobs.keep(all::add);
    from.sources.keep(all::add);
    from.strikes.keep(all::add);
    from.histories.keep(all::add);
    all.add(
        new KeptEntry.Thing(
            "rest",
            new Rest(
                from.incidents.count(),
                from.decisions.count(),
                from.decisions.actionCount(),
                from.sources.reportsLost(),
                from.sources.reportsStrange(),
                from.pause,
                from.trip,
                from.policy,
                from.trust,
                from.sources.refused())));
    return all;
  }

  /** Puts one of those things in its place. */
  static void restore(KeptEntry.Thing thing, Tables into) {
    switch (thing.what()) {
      case "node" -> {
        NodeView node = thing.as(NodeView.class);
        into.nodes.restore(node);
        into.lookForSpares(node.name());
      }
      case "remarks" -> into.nodes.restore(thing.as(NodeTable.KeptRemarks.class));
      case "takenOut" -> into.nodes.restore(thing.as(NodeTable.KeptTimes.class));
      case "finding" -> into.findings.restore(thing.as(FindingView.class));
      case "incident" -> into.incidents.restore(thing.as(IncidentView.class));
      case "cause" -> into.incidents.restore(thing.as(IncidentTable.KeptCause.class));
      case "decision" -> into.decisions.restore(thing.as(DecisionView.class));
      case "action" -> into.decisions.restore(thing.as(ActionView.class));
      case "job" -> into.moved(into.jobs.restore(thing.as(JobView.class)));
      case "presence" -> into.presences.restore(thing.as(PresenceTable.Kept.class));
      case "loss" -> into.jobs.restore(thing.as(LossTable.KeptLoss.class));
      case "history" -> into.histories.restore(thing.as(HistoryTable.Kept.class));
      case "strike" -> into.strikes.restore(thing.as(Strike.class));
      case "cursor" -> into.sources.restore(thing.as(SourceTable.KeptCursor.class));
      case "allowance" -> into.sources.restore(thing.as(SourceTable.KeptAllowance.class));
      case "refusals" -> into.sources.restore(thing.as(SourceTable.KeptRefusals.class));
      case "speakers" -> into.sources.restore(thing.as(SourceTable.KeptSpeakers.class));
      case "rest" -> {
        Rest rest = thing.as(Rest.class);
        into.incidents.restoreCount(rest.incidents());
        into.decisions.restoreCounts(rest.decisions(), rest.actions());
        into.sources.restoreCounts(rest.reportsLost(), rest.reportsStrange(), rest.refused());
        into.pause = rest.pause();
        into.trip = rest.trip();
        into.policy = rest.policy();
        into.trust = rest.trust();
      }
      default -> throw new IllegalArgumentException("no such thing in a state: " + thing.what());
    }
  }

  /** Whether something that is over is older than that; it may still be needed. */
  static boolean remembersBefore(Instant before, Tables in) {
    return in.incidents.all().stream()
            .anyMatch(it -> it.closed().map(at -> at.isBefore(before)).orElse(false))
        || in.decisions.all().stream()
            .anyMatch(it -> it.stand().over() && it.standSince().isBefore(before))
        || in.findings.all().stream().anyMatch(it -> !it.holds() && it.last().isBefore(before))
        || in.jobs.all().stream()
            .anyMatch(it -> it.job().state().over() && it.told().isBefore(before));
  }

  /** What a source told and was over by that time, and matters to nothing that is not. */
  static void trim(SourceEntry.Trimmed trimmed, Tables in) {
    in.decisions.forget(in.incidents.trim(trimmed, needed(in)::contains));
    in.findings.trim(trimmed, it -> in.incidents.get(it).isPresent());
    in.jobs.trim(trimmed).forEach(in.decisions::forget);
  }

  /** The incidents that something goes on about, and those of which they are a part. */
  private static Set<String> needed(Tables in) {
    Set<String> needed = new LinkedHashSet<>();
    in.nodes.notInService().forEach(it -> needed.add(it.incident()));
    in.decisions.open().forEach(it -> needed.add(it.made().incident()));
    in.decisions.openActions().stream()
        .flatMap(it -> in.decisions.get(it.decision()).stream())
        .forEach(it -> needed.add(it.made().incident()));
    List.copyOf(needed).stream()
        .flatMap(it -> in.incidents.get(it).stream())
        .flatMap(in.incidents::whole)
        .forEach(needed::add);
    return needed;
  }

  /** What was over before that time, and matters to nothing that is not. */
  static void forget(Instant before, Tables in) {
    in.incidents.forget(before, needed(in)::contains);
    in.decisions.forget(before, it -> in.incidents.get(it).isPresent());
    in.findings.forget(before, it -> in.incidents.get(it).isPresent());
    in.nodes.forget(before);
    in.histories.forget(before);
    in.presences.forget(before, it -> in.jobs.all().stream().anyMatch(job -> it.of(job.job())));
    in.jobs.forget(before).stream()
        .map(JobView::source)
        .filter(
            it ->
                it.startsWith(RUN)
                    && in.jobs.all().stream().noneMatch(job -> job.source().equals(it)))
        .forEach(in.sources::forget);
  }
}
