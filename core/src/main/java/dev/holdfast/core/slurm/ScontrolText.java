package dev.holdfast.core.slurm;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Hostlist;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The text of {@code scontrol show nodes} and {@code scontrol show job}: records of lines, words
 * {@code Name=value} on each. What people write (a reason, a comment, a job's name) has a line of
 * its own or ends one, so it is read to the end of its line and cannot pass for anything else;
 * {@code scontrol --oneliner} would lose that. Only the fields that are needed are taken out.
 *
 * <p>Records end with an empty line. One that does not, among others that do, was cut off: it may
 * lack the very word that matters, so it is not read at all.
 */
public final class ScontrolText {
  /** Fields whose value is the rest of the line. */
  private static final List<String> PROSE =
      List.of("Reason", "Comment", "Extra", "JobName", "AdminComment", "SystemComment", "OS");

  private static final List<String> NODE = names("NodeName", "State", "Partitions", "Gres");

  private static final List<String> JOB =
      names(
          "JobId",
          "ArrayJobId",
          "ArrayTaskId",
          "UserId",
          "JobState",
          "Restarts",
          "Requeue",
          "NumTasks",
          "NodeList",
          "ExcNodeList",
          "SubmitTime",
          "StartTime");

  private static final int MOST_NAME = 253;

  private static final int MOST_LINES = 400;

  private final ZoneId zone;

  private static List<String> names(String... more) {
    return Stream.concat(Arrays.stream(more), PROSE.stream()).toList();
  }

  /**
   * @param zone of the machine on which scontrol ran
   */
  public ScontrolText(ZoneId zone) {
    this.zone = zone;
  }

  /** All nodes of {@code scontrol show nodes}. */
  public Parsed<SlurmNode> nodes(String text) {
    Parsed.Collector<SlurmNode> found = new Parsed.Collector<>();
    Map<String, Set<String>> known = new HashMap<>();
    records(text, NODE, found, (fields, begin) -> node(fields, begin, known, found));
    return found.parsed();
  }

  /** All jobs of {@code scontrol show jobs}. */
  public Parsed<SlurmJob> jobs(String text) {
    Parsed.Collector<SlurmJob> found = new Parsed.Collector<>();
    records(text, JOB, found, (fields, begin) -> job(fields, begin, found));
    return found.parsed();
  }

  /**
   * @param known what the states met so far mean: thousands of nodes share a few of them
   */
  private void node(
      Map<String, String> fields,
      String begin,
      Map<String, Set<String>> known,
      Parsed.Collector<SlurmNode> found) {
    String name = value(fields, "NodeName");
    String state = value(fields, "State");
    if (name.isEmpty() || name.length() > MOST_NAME || state.isEmpty()) {
      found.broken("a node without name or state: " + begin);
      return;
    }
    Set<String> states;
    try {
      states = known.computeIfAbsent(state, it -> Set.copyOf(SlurmWords.states(it)));
    } catch (IllegalArgumentException wrong) {
      found.broken(wrong.getMessage() + ": " + begin);
      return;
    }
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
              SlurmJob.handle(id, number(fields, "ArrayJobId"), value(fields, "ArrayTaskId")),
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
   *
   * @param names the fields wanted; with the first of them each record begins
   */
  private static void records(
      String text,
      List<String> names,
      Parsed.Collector<?> found,
      BiConsumer<Map<String, String>, String> taker) {
    String first = names.getFirst() + "=";
    boolean parted = text.contains("\n\n");
    Map<String, String> fields = Map.of();
    String begin = "";
    boolean ended = true;
    int lines = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      if (text.startsWith(first, at)) {
        take(fields, begin, ended || !parted, found, taker);
        fields = new HashMap<>();
        begin = text.substring(at, Math.min(end, at + 80));
        ended = false;
        lines = 0;
      }
      ended |= at == end;
      if (!begin.isEmpty() && lines++ < MOST_LINES) {
        line(text, at, end, names, fields);
      }
      at = end + 1;
    }
    take(fields, begin, text.endsWith("\n") && (ended || !parted), found, taker);
  }

  private static void take(
      Map<String, String> fields,
      String begin,
      boolean whole,
      Parsed.Collector<?> found,
      BiConsumer<Map<String, String>, String> taker) {
    if (whole && !begin.isEmpty()) {
      taker.accept(fields, begin);
    } else if (!begin.isEmpty()) {
      found.broken("cut off: " + begin);
    }
  }

  private static void line(
      String text, int from, int to, List<String> names, Map<String, String> fields) {
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
      String name = name(text, at, equals, names);
      job |= name.equals("JobState");
      // Beside a job's state Reason is one word; a node's stands alone and is a sentence.
      boolean prose = !job && PROSE.contains(name);
      int blank = prose ? -1 : text.indexOf(' ', equals);
      int end = blank < 0 ? to : Math.min(to, blank);
      if (!name.isEmpty()) {
        String value = text.substring(equals + 1, end).strip();
        fields.putIfAbsent(job && name.equals("Reason") ? "JobReason" : name, value);
      }
      at = end;
    }
  }

  /** Which of the names stands there; empty: none of them. */
  private static String name(String text, int from, int to, List<String> names) {
    for (String name : names) {
      if (name.length() == to - from && text.startsWith(name, from)) {
        return name;
      }
    }
    return "";
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
