package dev.holdfast.control.meter;

import dev.holdfast.core.text.MetricsText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one control plane since it began. Any thread counts, any thread reads. */
public final class Meters {
  private final Histogram sync = new Histogram();
  private final Histogram input = new Histogram();
  private final LongAdder batches = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final AtomicLong ticked = new AtomicLong(System.nanoTime());
  private final Map<Integer, LongAdder> answers = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> notices = new ConcurrentSkipListMap<>();
  private final LongAdder failures = new LongAdder();
  private volatile String lastFailure = "";
  private final LongAdder running = new LongAdder();
  private volatile Optional<String> untrimmed = Optional.empty();

  /** A batch became durable. */
  public void appended(int count, long tookNanos) {
    batches.increment();
    entries.add(count);
    sync.add(tookNanos);
  }

  /** Something was decided and is durable, so long after it came. */
  public void decided(long tookNanos) {
    input.add(tookNanos);
  }

  /** These could not be decided, and were left as they were. */
  public void failed(List<String> what) {
    if (!what.isEmpty()) {
      failures.add(what.size());
      lastFailure = what.getLast();
    }
  }

  /** What could not be decided last; empty: everything could. */
  public String lastFailure() {
    return lastFailure;
  }

  /** The deciding thread has looked at the time. */
  public void ticked() {
    ticked.set(System.nanoTime());
  }

  /** How long ago the deciding thread last looked at the time. */
  public double tickAgeSeconds() {
    return (System.nanoTime() - ticked.get()) / 1e9;
  }

  /** Something was told to others, or could not be. */
  public void told(String outlet, boolean taken) {
    notices
        .computeIfAbsent(outlet + (taken ? " taken" : " lost"), _ -> new LongAdder())
        .increment();
  }

  /** What keeps the journal from letting go of what is old; nothing: it does. */
  public void trimmed(Optional<String> problem) {
    untrimmed = problem;
  }

  public Optional<String> untrimmed() {
    return untrimmed;
  }

  public void asked() {
    running.increment();
  }

  public void answered(int status) {
    running.decrement();
    answers.computeIfAbsent(status, _ -> new LongAdder()).increment();
  }

  public void write(MetricsText text) {
    text.one(
        "holdfast_control_batches_total",
        "counter",
        "Batches made durable since the start.",
        batches.sum());
    text.one(
        "holdfast_control_entries_total",
        "counter",
        "Journal entries made durable since the start.",
        entries.sum());
    text.one(
        "holdfast_control_failures_total",
        "counter",
        "What could not be decided and was left as it was: each is a defect to report.",
        failures.sum());
    sync.write(
        text,
        "holdfast_control_sync_seconds",
        "How long the journal took to make a batch durable.");
    input.write(
        text,
        "holdfast_control_input_seconds",
        "From the arrival of a report or a wish until what follows from it was durable.");
    text.one(
        "holdfast_control_tick_age_seconds",
        "gauge",
        "Since the deciding thread last looked at the time; it does so every second.",
        tickAgeSeconds());
    text.one(
        "holdfast_control_journal_untrimmed",
        "gauge",
        "1 while the journal cannot let go of what is old, and grows.",
        untrimmed.isPresent() ? 1 : 0);
    text.metric("holdfast_control_http_requests_total", "counter", "Answers by HTTP status.");
    answers.forEach(
        (status, count) ->
            text.value(
                "holdfast_control_http_requests_total",
                count.sum(),
                "status",
                Integer.toString(status)));
    text.metric(
        "holdfast_control_notices_total",
        "counter",
        "What was told to webhooks and Alertmanagers, and what could not be.");
    notices.forEach(
        (key, count) ->
            text.value(
                "holdfast_control_notices_total",
                count.sum(),
                "outlet",
                key.split(" ", 2)[0],
                "result",
                key.split(" ", 2)[1]));
    text.one(
        "holdfast_control_http_requests_running",
        "gauge",
        "Requests that are being answered, those that wait for events or work included.",
        running.sum());
  }
}
