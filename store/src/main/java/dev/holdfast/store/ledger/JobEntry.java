package dev.holdfast.store.ledger;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a job.
 *
 * @param attempt the newest that was opened; -1: none was
 * @param term the newest that was granted; 0: nobody claimed the job
 * @param holder whom the term was granted to; empty: it was given back
 * @param leaseSeconds for how long at a time
 * @param ports every port an attempt of it had
 * @param touched when it was last written of, as a count of what was written
 */
public record JobEntry(
    String job,
    int attempt,
    long term,
    String holder,
    int leaseSeconds,
    Set<Integer> ports,
    long touched) {

  public JobEntry {
    ports = Set.copyOf(ports);
  }

  static JobEntry fresh(String job) {
    return new JobEntry(job, -1, 0, "", 0, Set.of(), 0);
  }

  /** The two said of one job: each only ever grows, so their order does not matter. */
  JobEntry merge(JobEntry other) {
    JobEntry newer = other.term >= term ? other : this;
    Set<Integer> all = new TreeSet<>(ports);
    all.addAll(other.ports);
    return new JobEntry(
        job,
        Math.max(attempt, other.attempt),
        newer.term,
        newer.holder,
        newer.leaseSeconds,
        all,
        Math.max(touched, other.touched));
  }

  JobEntry touched(long count) {
    return new JobEntry(job, attempt, term, holder, leaseSeconds, ports, count);
  }

  Map<String, @Nullable Object> json() {
    return Json.map(
        "job",
        job,
        "attempt",
        attempt,
        "term",
        term,
        "holder",
        holder,
        "leaseSeconds",
        leaseSeconds,
        "ports",
        List.copyOf(new TreeSet<>(ports)));
  }

  static JobEntry of(Fields fields) {
    return new JobEntry(
        fields.text("job"),
        fields.integer("attempt", -1),
        fields.number("term", 0),
        fields.text("holder", ""),
        fields.integer("leaseSeconds", 0),
        Set.copyOf(Stream.of(fields.integers("ports")).flatMap(List::stream).distinct().toList()),
        0);
  }
}
