package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a launcher must remember when its process is started again while its ranks run: what it
 * promised as a voter, what it holds, which attempt it runs, and how far it was if it led. Kept
 * before anything that follows from it is done, so that the next process can keep its word.
 *
 * <p>No times are in it. The clock of the rendezvous is the machine's own and goes on; what a lease
 * or a promise still allows is taken to be the most it can be.
 */
public final class Memory {
  final Member self;
  final long term;
  final String votedFor;
  final @Nullable Member leader;
  final @Nullable JobRecord record;
  final int attempt;
  final boolean live;
  final int floor;
  final @Nullable Lead lead;

  /**
   * How far a leader was.
   *
   * @param floor all attempts up to this one are over
   * @param restarts counted so far, those of a decision not yet in the record too
   */
  record Lead(
      int floor,
      int restarts,
      Set<String> excluded,
      String decided,
      String why,
      long graceMillis,
      boolean hang,
      @Nullable Diagnosis diagnosis,
      JobRecord.@Nullable Ending ending) {
    Lead {
      excluded = java.util.Collections.unmodifiableSet(new LinkedHashSet<>(excluded));
    }
  }

  Memory(
      Member self,
      long term,
      String votedFor,
      @Nullable Member leader,
      @Nullable JobRecord record,
      int attempt,
      boolean live,
      int floor,
      @Nullable Lead lead) {
    this.self = self;
    this.term = term;
    this.votedFor = votedFor;
    this.leader = leader;
    this.record = record;
    this.attempt = attempt;
    this.live = live;
    this.floor = floor;
    this.lead = lead;
  }

  /** The assignment whose ranks this launcher had started and not yet seen ended. */
  public Optional<Assignment> running() {
    JobRecord held = record;
    return live && held != null && held.attempt() == attempt
        ? Optional.of(held.assignment())
        : Optional.empty();
  }

  /** The last attempt this launcher started, −1: none. */
  public int attempt() {
    return attempt;
  }

  /** Whether it says the same; records are never changed, so that each is compared at a glance. */
  boolean sameAs(@Nullable Memory other) {
    return other != null
        && record == other.record
        && leader == other.leader
        && term == other.term
        && attempt == other.attempt
        && live == other.live
        && floor == other.floor
        && self.equals(other.self)
        && votedFor.equals(other.votedFor)
        && java.util.Objects.equals(lead, other.lead);
  }

  public String text() {
    JobRecord held = record;
    Member leads = leader;
    return Json.line(
        Json.map(
            "self",
            self.json(),
            "term",
            term,
            "votedFor",
            votedFor,
            "leader",
            leads == null ? null : leads.json(),
            "record",
            held == null ? null : held.json(),
            "attempt",
            attempt,
            "live",
            live,
            "floor",
            floor,
            "lead",
            lead(lead)));
  }

  private static @Nullable Object lead(@Nullable Lead lead) {
    if (lead == null) {
      return null;
    }
    Diagnosis found = lead.diagnosis();
    JobRecord.Ending ending = lead.ending();
    return Json.map(
        "floor",
        lead.floor(),
        "restarts",
        lead.restarts(),
        "excluded",
        List.copyOf(lead.excluded()),
        "decided",
        Wire.clip(lead.decided()),
        "why",
        Wire.clip(lead.why()),
        "graceMillis",
        lead.graceMillis(),
        "hang",
        lead.hang(),
        "diagnosis",
        found == null ? null : Wire.clip(found).json(),
        "exitCode",
        ending == null ? null : ending.exitCode(),
        "ending",
        ending == null ? null : ending.why());
  }

  /**
   * @throws IllegalArgumentException if it is not what {@link #text} gave
   */
  public static Memory of(String text) {
    Fields f = Fields.of("memory", Json.object(text));
    return new Memory(
        Member.of(f.object("self")),
        f.number("term"),
        f.text("votedFor"),
        f.has("leader") ? Member.of(f.object("leader")) : null,
        f.has("record") ? JobRecord.of(f.object("record")) : null,
        f.integer("attempt"),
        f.flag("live"),
        f.integer("floor"),
        f.has("lead") ? lead(f.object("lead")) : null);
  }

  private static Lead lead(Fields f) {
    return new Lead(
        f.integer("floor"),
        f.integer("restarts"),
        new LinkedHashSet<>(f.texts("excluded")),
        f.text("decided"),
        f.text("why"),
        f.number("graceMillis"),
        f.flag("hang"),
        f.has("diagnosis") ? Diagnosis.of(f.object("diagnosis")) : null,
        f.has("exitCode")
            ? new JobRecord.Ending(f.integer("exitCode"), f.text("ending", ""))
            : null);
  }
}
