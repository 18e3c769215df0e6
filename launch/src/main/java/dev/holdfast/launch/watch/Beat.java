package dev.holdfast.launch.watch;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One thing a rank told of itself.
 *
 * @param seconds when, since 1970 by the clock of its node; not a number: it did not say
 * @param step −1: it did not say
 * @param loss may be infinite or not a number; that is what makes it worth telling
 * @param phase the phase this line speaks of, empty: none
 * @param event what becomes of that phase
 */
public record Beat(
    double seconds,
    long step,
    OptionalDouble loss,
    OptionalDouble gradientNorm,
    String phase,
    Event event) {
  private static final int LONGEST_PHASE = 64;

  /** What a line says of a phase. */
  public enum Event {
    NONE,
    BEGIN,
    END,
    /** It ended by an exception: a checkpoint that failed is none. */
    FAILED
  }

  /** A sign of life that says nothing more. */
  static Beat ofStep(long step) {
    return new Beat(
        Double.NaN, step, OptionalDouble.empty(), OptionalDouble.empty(), "", Event.NONE);
  }

  /** Reads a line of a beat file; a line that is no beat gives none. */
  public static Optional<Beat> parse(String line) {
    if (!line.startsWith("{")) {
      return Optional.empty();
    }
    try {
      Fields fields = Fields.of("beat", Json.read(line));
      String phase = fields.text("phase", "");
      Event event = phase.isEmpty() ? Event.NONE : Event.BEGIN;
      switch (fields.text("event", "")) {
        case "end" -> event = Event.END;
        case "failed" -> event = Event.FAILED;
        case "begin", "" -> {}
        default -> event = Event.NONE;
      }
      if (fields.has("phase_end")) {
        event = Event.END;
        phase = phase.isEmpty() ? fields.text("phase_end") : phase;
      }
      return Optional.of(
          new Beat(
              fields.decimal("t", Double.NaN),
              Math.max(-1, fields.number("step", -1)),
              value(fields, "loss"),
              value(fields, "grad_norm"),
              phase.substring(0, Math.min(phase.length(), LONGEST_PHASE)),
              event));
    } catch (IllegalArgumentException garbage) {
      return Optional.empty();
    }
  }

  /** JSON has no word for numbers that are none, so they come as texts. */
  private static OptionalDouble value(Fields fields, String name) {
    if (!fields.has(name)) {
      return OptionalDouble.empty();
    }
    try {
      return switch (fields.optionalText(name).orElse("").toLowerCase(Locale.ROOT)) {
        case "nan", "-nan" -> OptionalDouble.of(Double.NaN);
        case "inf", "infinity", "+inf" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
        case "-inf", "-infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
        default -> OptionalDouble.empty();
      };
    } catch (IllegalArgumentException aNumber) {
      return OptionalDouble.of(fields.decimal(name, Double.NaN));
    }
  }
}
