package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * An event while the log is still being read: decoders fill it, {@link Bursts} counts it up and
 * {@link Relations} corrects it in the light of the others.
 */
final class Draft {
  private static final int MAXIMUM_PLACES = 64;

  final String rule;
  final OptionalInt code;
  final String device;
  final String line;
  Severity severity;
  FaultClass faultClass;
  KernelEvent.Role role = KernelEvent.Role.CAUSE;
  NextStep step;
  String summary;
  String meaning;
  String remedy;
  String detail = "";

  /** Parts of the device it named (GPC and TPC, link), for telling one place from many. */
  final TreeSet<String> places = new TreeSet<>();

  Optional<Instant> first = Optional.empty();
  Optional<Instant> last = Optional.empty();

  /** Microseconds on whatever clock the log uses; negative when the line has no time. */
  long firstMicros = -1;

  long lastMicros = -1;
  int count = 1;

  Draft(
      String rule,
      OptionalInt code,
      String device,
      Severity severity,
      FaultClass faultClass,
      NextStep step,
      String[] texts,
      String line) {
    this.rule = rule;
    this.code = code;
    this.device = device;
    this.severity = severity;
    this.faultClass = faultClass;
    this.step = step;
    this.summary = texts[0];
    this.meaning = texts[1];
    this.remedy = texts[2];
    this.line = line;
  }

  int number() {
    return code.orElse(-1);
  }

  boolean isXid(int number) {
    return rule.equals("xid") && number() == number;
  }

  /** The same thing again, as far as counting goes. */
  String key() {
    return rule + '|' + number() + '|' + device + '|' + detail;
  }

  void stamp(KernelLine source, Optional<Instant> boot) {
    first = source.when(boot);
    last = first;
    firstMicros =
        source
            .uptime()
            .map(uptime -> uptime.toNanos() / 1000)
            .or(() -> source.wall().map(wall -> wall.toEpochMilli() * 1000))
            .orElse(-1L);
    lastMicros = firstMicros;
  }

  void repeat(Draft again) {
    count += again.count;
    last = again.last.or(() -> last);
    lastMicros = Math.max(lastMicros, again.lastMicros);
    for (String place : again.places) {
      if (places.size() < MAXIMUM_PLACES) {
        places.add(place);
      }
    }
  }

  KernelEvent event() {
    return new KernelEvent(
        rule,
        code,
        device,
        severity,
        faultClass,
        role,
        step,
        summary,
        meaning,
        remedy,
        detail,
        first,
        last,
        count,
        line);
  }
}
