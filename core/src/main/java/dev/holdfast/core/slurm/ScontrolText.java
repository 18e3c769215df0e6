package dev.holdfast.core.slurm;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Hostlist;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The text of {@code scontrol show nodes} and {@code scontrol show job}: records of lines, words
 * {@code Name=value} on each. What people write (a reason, a comment, a job's name) has a line of
 * its own or ends one, so it is read to the end of its line and cannot pass for anything else;
 * {@code scontrol --oneliner} would lose that.
 */
public final class ScontrolText {
  /** Fields whose value is the rest of the line. */
  private static final Set<String> PROSE =
      Set.of("Reason", "Comment", "Extra", "JobName", "AdminComment", "SystemComment", "OS");

  private static final int MOST_LINES = 400;

  private final ZoneId zone;

  /**
   * @param zone of the machine on which scontrol ran
   */
  public ScontrolText(ZoneId zone) {
    this.zone = zone;
  }

  /** All nodes of {@code scontrol show nodes}. */
  public Parsed<SlurmNode> nodes(String text) {
    Parsed.Collector<SlurmNode> found = new Parsed.Collector<>();
    records(text, "NodeName", (fields, begin) -> node(fields, begin, found));
    return found.parsed();
  }

  /** All jobs of {@code scontrol show jobs}. */
  public Parsed<SlurmJob> jobs(String text) {
    Parsed.Collector<SlurmJob> found = new Parsed.Collector<>();
    records(text, "JobId", (fields, begin) -> job(fields, begin, found));
    return found.parsed();
  }

  private void node(Map<String, String> fields, String begin, Parsed.Collector<SlurmNode> found) {
    String name = value(fields, "NodeName");
    String state = value(fields, "State");
    if (name.isEmpty() || state.isEmpty()) {
      found.broken("a node without name or state: " + begin);
      return;
    }
    Set<String> states = SlurmWords.states(state);
    found.judge(states, SlurmWords.NODE);
    Reason reason = Reason.of(value(fields, "Reason"), zone);
    found.add(
        new SlurmNode(
            name,
            states,
            reason.text(),
            reason.by(),
            reason.at(),
            value(fields, "Comment"),
            list(value(fields, "Partitions")),
            value(fields, "Gres")));
  }

  private void job(Map<String, String> fields, String begin, Parsed.Collector<SlurmJob> found) {
    try {
      long id = Long.parseLong(value(fields, "JobId"));
      Set<String> states = SlurmWords.states(required(fields, "JobState"));
      found.judge(states, SlurmWords.JOB);
      found.add(
          new SlurmJob(
              id,
              value(fields, "UserId").replaceFirst("\\(.*", ""),
              states,
              value(fields, "JobReason"),
              number(fields, "Restarts"),
              value(fields, "Requeue").equals("1"),
              number(fields, "NumTasks"),
              Hosts.expand(value(fields, "NodeList")),
              Hosts.expand(value(fields, "ExcNodeList")),
              SlurmTime.read(value(fields, "SubmitTime"), zone),
              SlurmTime.read(value(fields, "StartTime"), zone)));
    } catch (NumberFormatException wrong) {
      found.broken("a job without a number: " + begin);
    } catch (IllegalArgumentException | HoldfastException wrong) {
      found.broken(wrong.getMessage() + ": " + begin);
    }
  }

  /**
   * Cuts the text into records and their fields; a field that comes twice keeps its first value.
   */
  private static void records(
      String text, String first, BiConsumer<Map<String, String>, String> taker) {
    Map<String, String> fields = new HashMap<>();
    String begin = "";
    int lines = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      if (text.startsWith(first + "=", at)) {
        if (!fields.isEmpty()) {
          taker.accept(fields, begin);
        }
        fields = new HashMap<>();
        begin = text.substring(at, Math.min(end, at + 80));
        lines = 0;
      }
      if (!begin.isEmpty() && lines++ < MOST_LINES) {
        line(text, at, end, fields);
      }
      at = end + 1;
    }
    if (!fields.isEmpty()) {
      taker.accept(fields, begin);
    }
  }

  private static void line(String text, int from, int to, Map<String, String> fields) {
    int at = from;
    boolean job = false;
    while (at < to) {
      while (at < to && text.charAt(at) == ' ') {
        at++;
      }
      int equals = text.indexOf('=', at);
      if (equals < 0 || equals >= to) {
        return;
      }
      String name = text.substring(at, equals);
      job |= name.equals("JobState");
      // Beside a job's state Reason is one word; a node's stands alone and is a sentence.
      boolean prose = PROSE.contains(name) && !job;
      int end =
          prose ? to : Math.min(to, text.indexOf(' ', equals) < 0 ? to : text.indexOf(' ', equals));
      String value = text.substring(equals + 1, end).strip();
      fields.putIfAbsent(job && name.equals("Reason") ? "JobReason" : name, value);
      at = end;
    }
  }

  private static String value(Map<String, String> fields, String name) {
    String value = fields.getOrDefault(name, "");
    return value.equals("(null)") || value.equals("N/A") ? "" : value;
  }

  private static String required(Map<String, String> fields, String name) {
    String value = value(fields, name);
    if (value.isEmpty()) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  private static int number(Map<String, String> fields, String name) {
    String value = value(fields, name);
    return value.isEmpty() ? 0 : Integer.parseInt(value);
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  /** {@code text [user@time]}. */
  private record Reason(String text, String by, Optional<Instant> at) {
    static Reason of(String written, ZoneId zone) {
      int open = written.lastIndexOf(" [");
      int at = written.lastIndexOf('@');
      if (open < 0 || at < open || !written.endsWith("]")) {
        return new Reason(written, "", Optional.empty());
      }
      return new Reason(
          written.substring(0, open),
          written.substring(open + 2, at),
          SlurmTime.read(written.substring(at + 1, written.length() - 1), zone));
    }
  }

  /** Host lists of Slurm's own making. */
  static final class Hosts {
    private Hosts() {}

    static List<String> expand(String list) {
      boolean none = list.isEmpty() || list.equals("(null)") || list.equals("None assigned");
      return none ? List.of() : Hostlist.expand(list);
    }
  }
}
