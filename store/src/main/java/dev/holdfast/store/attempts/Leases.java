package dev.holdfast.store.attempts;

import dev.holdfast.store.attempts.StoreRefused.Reason;
import dev.holdfast.store.ledger.JobEntry;
import dev.holdfast.store.ledger.Ledger;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which launcher leads a job. A claim is granted when nobody holds the job, and comes with a term
 * greater than any before it, written down first. Whoever still believes to lead with an older term
 * is refused, however late its requests come: the term, not the clock, keeps two leaders apart.
 *
 * <p>After a restart of the store a holder that was written down is given its full time again.
 */
final class Leases {
  private static final int LONGEST_SECONDS = 3600;
  private static final long LARGEST_TERM = 1L << 52;

  private final Ledger ledger;
  private final LongSupplier nanos;
  private final Map<String, Long> untilNanos = new HashMap<>();

  Leases(Ledger ledger, LongSupplier nanos) {
    this.ledger = ledger;
    this.nanos = nanos;
    for (JobEntry job : ledger.jobs()) {
      if (!job.holder().isEmpty()) {
        extend(job.job(), job.leaseSeconds());
      }
    }
  }

  /** Grants the job to a holder, or says who has it. */
  Lease claim(String job, String holder, long wanted, int seconds) throws IOException {
    requireSane(holder, seconds);
    if (wanted < 0 || wanted > LARGEST_TERM) {
      throw new StoreRefused(Reason.REQUEST, "a term is from 0 to 2^52, not " + wanted);
    }
    JobEntry known = ledger.job(job).orElse(null);
    long left = leftNanos(known);
    if (known != null && left > 0) {
      boolean same = known.holder().equals(holder);
      if (same && wanted == known.term()) {
        extend(job, seconds);
        return lease(job, true);
      }
      if (!same) {
        return lease(job, false);
      }
    }
    ledger.claim(job, Math.max(ledger.term() + 1, wanted), holder, seconds);
    extend(job, seconds);
    return lease(job, true);
  }

  /** Goes on holding the job; refused when the term is not the newest. */
  Lease renew(String job, String holder, long term, int seconds) throws StoreRefused {
    requireSane(holder, seconds);
    requireNewest(job, term);
    JobEntry known = ledger.job(job).orElse(null);
    if (known == null || !known.holder().equals(holder)) {
      throw new StoreRefused(
          Reason.STALE_TERM, "term " + term + " of " + job + " is not held by " + holder);
    }
    extend(job, seconds);
    return lease(job, true);
  }

  void release(String job, String holder, long term) throws IOException {
    requireNewest(job, term);
    if (ledger.job(job).map(JobEntry::holder).orElse("").equals(holder)) {
      ledger.release(job);
      untilNanos.remove(job);
    }
  }

  /** Refuses who acts with a term that is not the newest; a job nobody ever claimed has term 0. */
  void requireNewest(String job, long term) throws StoreRefused {
    long newest = ledger.job(job).map(JobEntry::term).orElse(0L);
    if (term != newest) {
      throw new StoreRefused(
          Reason.STALE_TERM,
          "the newest term of %s is %d, held by %s; this request has %d"
              .formatted(
                  job,
                  newest,
                  ledger
                      .job(job)
                      .map(JobEntry::holder)
                      .filter(holder -> !holder.isEmpty())
                      .orElse("nobody"),
                  term));
    }
  }

  Lease lease(String job, boolean granted) {
    JobEntry known = ledger.job(job).orElse(null);
    long left = leftNanos(known);
    return new Lease(
        granted,
        known == null ? 0 : known.term(),
        known == null || left <= 0 ? "" : known.holder(),
        Duration.ofNanos(Math.max(0, left)));
  }

  private long leftNanos(@Nullable JobEntry known) {
    if (known == null || known.holder().isEmpty()) {
      return 0;
    }
    Long until = untilNanos.get(known.job());
    return until == null ? 0 : until - nanos.getAsLong();
  }

  private void extend(String job, int seconds) {
    untilNanos.put(job, nanos.getAsLong() + Duration.ofSeconds(seconds).toNanos());
  }

  private static void requireSane(String holder, int seconds) throws StoreRefused {
    if (seconds < 1 || seconds > LONGEST_SECONDS) {
      throw new StoreRefused(
          Reason.REQUEST, "a lease is from 1 to " + LONGEST_SECONDS + " seconds, not " + seconds);
    }
    if (holder.isEmpty() || holder.length() > 256) {
      throw new StoreRefused(Reason.REQUEST, "the holder's name is empty or too long");
    }
  }
}
