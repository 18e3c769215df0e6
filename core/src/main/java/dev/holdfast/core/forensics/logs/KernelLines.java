package dev.holdfast.core.forensics.logs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of kernels among those of others: in the journal of a node, in syslog, pasted into the log
 * of a run. They are judged as a kernel's log is, those of each host together.
 */
final class KernelLines {
  private static final int MOST_HOSTS = 1_000;
  private static final int MOST_CHARACTERS = 1 << 20;

  private static final Pattern FORM =
      Pattern.compile(
          "(?:<\\d{1,3}>|[a-z]{4,8} *:[a-z]{3,7} *: )?\\[ {0,12}\\d{1,9}\\.\\d{6}\\] .*"
              + "|\\[(?: {0,8}\\+ {0,8}\\d{1,8}\\.\\d{6}| {0,4}< {0,10}\\d{1,8}\\.\\d{6}>|[A-Z][a-z]{2} ?\\d{1,2} \\d\\d:\\d\\d)\\] .*"
              + "|.{0,80} kernel(?:\\[\\d{1,10}\\])?: .*"
              + "|kernel: .*"
              + "|.{0,80}(?:NVRM: |nvidia-nvswitch\\d*: ).*"
              + "|\\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d [\\d:]{8} \\d{4}\\] .*");
  private static final Pattern HOST =
      Pattern.compile("([A-Za-z0-9][\\w.-]{0,252}) kernel(?:\\[|:)");

  private final LogSource source;
  private final Map<String, StringBuilder> byHost = new LinkedHashMap<>();

  KernelLines(LogSource source) {
    this.source = source;
  }

  static boolean is(String line) {
    return FORM.matcher(line).matches();
  }

  /** Keeps the line if a kernel wrote it; tells whether. */
  boolean take(String line, String node) {
    if (!is(line)) {
      return false;
    }
    Matcher host = HOST.matcher(line);
    String name = host.find() ? host.group(1) : node;
    StringBuilder lines =
        byHost.size() < MOST_HOSTS
            ? byHost.computeIfAbsent(name, _ -> new StringBuilder())
            : byHost.get(name);
    if (lines != null && lines.length() + line.length() < MOST_CHARACTERS) {
      lines.append(line).append('\n');
    }
    return true;
  }

  List<KernelNotes> notes() {
    List<KernelNotes> notes = new ArrayList<>();
    byHost.forEach(
        (host, lines) ->
            notes.add(
                KernelNotes.of(
                    source.node().isEmpty() ? host : source.node(),
                    source.name(),
                    lines.toString())));
    return notes;
  }
}
