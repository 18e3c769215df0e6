package dev.holdfast.doctor.history;

import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The samples kept between runs, oldest first.
 *
 * <p>Bounded: one sample per five minutes of the last hour, one per hour of the last day, one per
 * day of the last week. That is enough for every rule (per minute, per hour, flaps in twelve hours)
 * and stays a small file.
 */
public record History(List<Sample> samples) {
  public static final History EMPTY = new History(List.of());
  static final Duration LONGEST = Duration.ofDays(7);

  private static final String SCHEMA = "holdfast.counters/1";
  private static final int MAX_SAMPLES = 64;

  public History {
    samples = List.copyOf(samples);
  }

  /** Reads what {@link #toJson} wrote; anything else is an {@link IllegalArgumentException}. */
  public static History parse(String text) {
    Map<String, Object> document = Json.object(text);
    if (!SCHEMA.equals(document.get("schema"))) {
      throw new IllegalArgumentException("not " + SCHEMA);
    }
    List<Sample> samples = new ArrayList<>();
    if (document.get("samples") instanceof List<?> list) {
      for (Object entry : list) {
        if (entry instanceof Map<?, ?> sample && samples.size() < MAX_SAMPLES) {
          samples.add(sample(sample));
        }
      }
    }
    return new History(samples);
  }

  private static Sample sample(Map<?, ?> entry) {
    Map<String, Long> values = new LinkedHashMap<>();
    if (entry.get("values") instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            if (value instanceof Long number) {
              values.put(String.valueOf(name), number);
            }
          });
    }
    try {
      Instant time = Instant.parse(String.valueOf(entry.get("time")));
      return new Sample(time, String.valueOf(entry.get("bootId")), values);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("bad time in counters: " + entry.get("time"), e);
    }
  }

  public String toJson() {
    List<Object> list = new ArrayList<>();
    for (Sample sample : samples) {
      list.add(
          Json.map(
              "time",
              sample.time().toString(),
              "bootId",
              sample.bootId(),
              "values",
              new TreeMap<>(sample.values())));
    }
    return Json.line(Json.map("schema", SCHEMA, "samples", list)) + "\n";
  }

  /**
   * This history and one sample more, thinned. Of the samples in a slot the oldest stays, with
   * those that know counters it does not (a run of a few checks only). A sample of another boot,
   * from the future or from before the last week is of no use and dropped.
   */
  public History with(Sample newest) {
    List<Sample> kept = new ArrayList<>();
    kept.add(newest);
    long lastBucket = Long.MAX_VALUE;
    for (Sample sample : samples.reversed()) {
      Duration age = Duration.between(sample.time(), newest.time());
      boolean otherBoot = !sample.bootId().equals(newest.bootId());
      if (otherBoot || age.isNegative() || age.compareTo(LONGEST) > 0) {
        continue;
      }
      long bucket = bucket(sample.time(), age);
      boolean another = bucket != lastBucket || !sample.knowsAllOf(kept.getLast());
      if (another && kept.size() < MAX_SAMPLES) {
        kept.add(sample);
        lastBucket = bucket;
      } else if (kept.size() > 1) {
        kept.set(kept.size() - 1, sample);
      }
    }
    Collections.reverse(kept);
    return new History(kept);
  }

  /** Five-minute, hourly or daily slot; the kinds never share a number. */
  private static long bucket(Instant time, Duration age) {
    long seconds = time.getEpochSecond();
    if (age.compareTo(Duration.ofHours(1)) < 0) {
      return seconds / 300 * 4;
    }
    return age.compareTo(Duration.ofDays(1)) < 0 ? seconds / 3600 * 4 + 1 : seconds / 86400 * 4 + 2;
  }
}
