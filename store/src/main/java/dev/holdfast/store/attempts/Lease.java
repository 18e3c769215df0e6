package dev.holdfast.store.attempts;

import java.time.Duration;

/**
 * Who leads a job.
 *
 * @param granted whether it is the one who asked
 * @param term the newest term of the job
 * @param holder who holds it; empty: nobody
 * @param remaining how long it still does
 */
public record Lease(boolean granted, long term, String holder, Duration remaining) {}
