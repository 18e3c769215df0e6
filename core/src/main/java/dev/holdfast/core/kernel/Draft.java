package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * An event while the log is still being read: decoders fill it, {@link Bursts} counts it up and
 * {@link Relations} corrects it in the light of the others.
 */
final class Draft {
  private static final int MAXIMUM_NAMES = 64;

  final String rule;
  final OptionalInt code;
  final String device;
  final String line;
  Severity severity = Severity.WARNING;
  FaultClass faultClass = FaultClass.UNKNOWN;
  Proof proof = Proof.DOCUMENTED;
  KernelEvent.Role role = KernelEvent.Role.CAUSE;
  NextStep step = NextStep.UNKNOWN;
  String summary = "";
  String meaning = "";
  String remedy = "";
  String detail = "";

  /** Tells apart what must not be counted together: link, unit, recovery action. */
  String part = "";

  /** Kind of NVLink fault (Xid 74). */
  String kind = "";

  Optional<RecoveryAction> recovery = Optional.empty();

  /** Places in the device it named (GPC and TPC): one place speaks against the hardware. */
  final TreeSet<String> places = new TreeSet<>();

  /** The processes it named. */
  final TreeSet<String> processes = new TreeSet<>();

  Optional<Instant> first = Optional.empty();
  Optional<Instant> last = Optional.empty();

  /** Microseconds on whatever clock the log uses; negative when the line has no time. */
  long firstMicros = -1;

  long lastMicros = -1;

  /** Which line of the log: the order is known even when the time is not. */
  long firstLine;

  long lastLine;
  int count = 1;
  private String key = "";

  Draft(String rule, OptionalInt code, String device, String line) {
    this.rule = rule;
    this.code = code;
    this.device = device;
    this.line = line;
  }

  void grade(Severity how, FaultClass whose, NextStep next, Proof row) {
    severity = how;
    faultClass = whose;
    step = next;
    proof = row;
  }

  /** Judges it graver than its row does, which is our own opinion and no more proven than that. */
  void raise(Severity how) {
    if (how.compareTo(severity) > 0) {
      severity = how;
      proof = Proof.DOCUMENTED;
    }
  }

  void explain(String what, String why, String how) {
    summary = what;
    meaning = why;
    remedy = how;
  }

  int number() {
    return code.orElse(-1);
  }

  boolean isXid() {
    return rule.equals("xid");
  }

  boolean isXid(int number) {
    return isXid() && number() == number;
  }

  /** The same thing again, as far as counting goes. */
  String key() {
    if (key.isEmpty()) {
      key = rule + '|' + number() + '|' + device + '|' + part;
    }
    return key;
  }

  void stamp(KernelLine source, Optional<Instant> boot, long lineNumber) {
    first = source.when(boot);
    last = first;
    firstMicros =
        source
            .uptime()
            .map(uptime -> uptime.toSeconds() * 1_000_000 + uptime.getNano() / 1000)
            .or(() -> source.wall().map(wall -> wall.toEpochMilli() * 1000))
            .orElse(-1L);
    lastMicros = firstMicros;
    firstLine = lineNumber;
    lastLine = lineNumber;
  }

  void repeat(Draft again) {
    count += again.count;
    last = again.last.or(() -> last);
    lastMicros = Math.max(lastMicros, again.lastMicros);
    lastLine = again.lastLine;
    if (places.size() < MAXIMUM_NAMES) {
      places.addAll(again.places);
    }
    if (processes.size() < MAXIMUM_NAMES) {
      processes.addAll(again.processes);
    }
  }

  /** Whether the two could belong together in time; lines without a time could. */
  boolean near(Draft other, Duration window) {
    if (firstMicros < 0 || other.firstMicros < 0) {
      return true;
    }
    long gap = Math.max(firstMicros - other.lastMicros, other.firstMicros - lastMicros);
    return gap <= window.toNanos() / 1000;
  }

  /** Whether one process can have met both; an event that names none may concern any. */
  boolean sharesProcess(Draft other) {
    return processes.isEmpty()
        || other.processes.isEmpty()
        || processes.stream().anyMatch(other.processes::contains);
  }

  /** Says that another event explains this one. */
  void follow(Draft cause) {
    role = KernelEvent.Role.CONSEQUENCE;
    severity = Severity.INFO;
    step = NextStep.FOLLOW;
    remedy = "Treat " + cause.name() + ", which this follows from.";
  }

  String name() {
    return (code.isPresent() ? (isXid() ? "Xid " : "SXid ") + number() : summary)
        + (device.isEmpty() ? "" : " of " + device);
  }

  KernelEvent event() {
    return new KernelEvent(
        rule,
        code,
        device,
        severity,
        faultClass,
        proof,
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
