package dev.holdfast.core.forensics.debug;

import dev.holdfast.core.forensics.stacks.StackReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what gdb or cuda-gdb said of a program it ran: the signal or GPU exception that stopped it,
 * and the stack it was in then. A report in which the program neither stopped nor ended is not
 * complete.
 */
public final class GdbReport {
  private static final Pattern STOP =
      Pattern.compile("(?:Thread .*|Program) received signal ([A-Z0-9_?]+), (.+?)\\.?");
  private static final Pattern EXIT =
      Pattern.compile("\\[Inferior \\d+ \\(process \\d+\\) (exited .+)\\]");

  /** cuda-gdb stops after the fault; this line says where it was. */
  private static final Pattern TRIGGERED =
      Pattern.compile(
          "The exception was triggered at PC 0x[0-9a-f]+\\s+(.+?)\\s+\\(([^()]+:\\d+)\\)");

  private static final int MOST_FRAMES = 8;

  private GdbReport() {}

  public static DebugReport read(String text) {
    DebugReport.Tally tally = new DebugReport.Tally();
    List<String> lines = text.lines().toList();
    long total = -1;
    Optional<Matcher> triggered = Optional.empty();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      Matcher trigger = TRIGGERED.matcher(line);
      if (trigger.matches()) {
        triggered = Optional.of(trigger);
      }
      Matcher stop = STOP.matcher(line);
      Matcher exit = EXIT.matcher(line);
      if (stop.matches()) {
        total = Math.max(0, total) + 1;
        DebugError error = error(stop, lines.subList(i + 1, lines.size()));
        tally.add(triggered.map(at -> error.at(at.group(1), at.group(2))).orElse(error));
        triggered = Optional.empty();
      } else if (exit.matches()) {
        total = Math.max(0, total);
        tally.remark("the program " + exit.group(1));
      } else if (line.contains("No such file or directory")) {
        tally.remark(line);
      }
    }
    return tally.report(total);
  }

  private static DebugError error(Matcher stop, List<String> after) {
    List<String> frames = new ArrayList<>();
    for (String line : after) {
      if (line.startsWith("#")) {
        if (line.startsWith("#0") && !frames.isEmpty()) {
          break;
        }
        frames.add(line);
      } else if (!frames.isEmpty() && line.isBlank()) {
        break;
      }
    }
    List<String> stack = frames.isEmpty() ? List.of() : StackReader.read(join(frames)).getFirst();
    List<String> inner = stack.reversed();
    String top = inner.isEmpty() ? "" : inner.getFirst();
    int at = top.indexOf('@');
    return new DebugError(
        stop.group(1) + ": " + stop.group(2),
        at < 0 ? top : top.substring(0, at),
        at < 0 ? "" : top.substring(at + 1),
        inner.size() < 2
            ? ""
            : "called by " + String.join(", ", inner.stream().skip(1).limit(MOST_FRAMES).toList()),
        "",
        1);
  }

  private static String join(List<String> frames) {
    return String.join("\n", frames) + "\n";
  }
}
