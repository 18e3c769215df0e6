package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelLine;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Whether something floods the kernel log. Boot is a storm by nature and is left alone. */
public final class LogStorm implements Check {
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final Duration BOOT = Duration.ofMinutes(15);
  private static final int MAX_LINES = 200_000;

  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.log.storm",
              "Is the kernel log free of floods?",
              FaultClass.UNKNOWN,
              Proof.HARDWARE)
          .reads("kernel-log", "/proc/uptime")
          .needs(Needs.SYSLOG)
          .meaning(
              "The log is a ring: a flood pushes out the one line that explains a failure, and each"
                  + " line on a serial console stops a core for milliseconds.")
          .remedy("dmesg --follow; treat what floods, or quiet its driver")
          .limit(
              "lines", 1000, "lines in ten minutes", "own choice: a sound node logs a few a day");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    String text = exam.node().requireProbe("kernel-log");
    Optional<Duration> uptime = exam.node().text("/proc/uptime").flatMap(LogStorm::seconds);
    if (uptime.isEmpty()) {
      exam.skip("/proc/uptime is not readable");
      return;
    }
    Duration from = uptime.get().minus(WINDOW);
    if (from.compareTo(BOOT) < 0) {
      exam.skip("the node booted less than 25 minutes ago");
      return;
    }
    Map<String, Integer> kinds = new HashMap<>();
    Map<String, String> examples = new HashMap<>();
    int lines = 0;
    int end = text.length();
    while (end > 0 && lines < MAX_LINES) {
      int start = text.lastIndexOf('\n', end - 1) + 1;
      KernelLine line = KernelLine.parse(text.substring(start, end));
      end = start - 1;
      if (line.uptime().isEmpty()) {
        continue;
      }
      if (line.uptime().get().compareTo(from) < 0) {
        break;
      }
      lines++;
      String kind = kind(line.text());
      kinds.merge(kind, 1, Integer::sum);
      examples.putIfAbsent(kind, line.text());
    }
    if (lines < exam.limit("lines")) {
      exam.pass(lines + " lines in the last ten minutes");
      return;
    }
    var most = kinds.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    exam.warning(
            exam.here(),
            "the kernel logged %d lines in ten minutes, %d of one kind"
                .formatted(lines, most.getValue()))
        .evidence("kernel log", examples.getOrDefault(most.getKey(), most.getKey()));
  }

  /** The line without its numbers: lines of one kind differ in little else. */
  private static String kind(String text) {
    StringBuilder kind = new StringBuilder();
    for (int i = 0; i < Math.min(60, text.length()); i++) {
      char letter = text.charAt(i);
      kind.append(Character.digit(letter, 16) >= 0 && !Character.isLetter(letter) ? '#' : letter);
    }
    return kind.toString();
  }

  private static Optional<Duration> seconds(String uptime) {
    try {
      double seconds = Double.parseDouble(uptime.split(" ", 2)[0]);
      return Optional.of(Duration.ofMillis((long) (seconds * 1000)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
