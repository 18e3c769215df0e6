package dev.holdfast.core.slurm;

import dev.holdfast.core.error.HoldfastException;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The text of squeue in columns of our own choice, parted by a stroke. No column holds what a user
 * may write freely, so no job can be named such that it passes for two; the reason is in Slurm's
 * own words.
 */
public final class SqueueText {
  /** What {@code squeue --Format} is asked for. */
  public static final String JOBS =
      "JobID:|,State:|,UserName:|,RestartCnt:|,Requeue:|,NumTasks:|,SubmitTime:|,StartTime:|,NodeList:|,Reason:|,JobArrayID:|";

  /** What {@code squeue --steps --format} is asked for. */
  public static final String STEPS = "%i|%A|%N";

  private static final int JOB_COLUMNS = 11;
  private static final int STEP_COLUMNS = 3;

  private final ZoneId zone;

  /**
   * @param zone of the machine on which squeue ran
   */
  public SqueueText(ZoneId zone) {
    this.zone = zone;
  }

  public Parsed<SlurmJob> jobs(String text) {
    Parsed.Collector<SlurmJob> found = new Parsed.Collector<>();
    lines(text, found, line -> job(line, found));
    return found.parsed();
  }

  public Parsed<SlurmStep> steps(String text) {
    Parsed.Collector<SlurmStep> found = new Parsed.Collector<>();
    lines(text, found, line -> step(line, found));
    return found.parsed();
  }

  /** A line that does not end was cut off, wherever that looks like an end. */
  private static void lines(String text, Parsed.Collector<?> found, Consumer<String> taker) {
    int whole = text.lastIndexOf('\n') + 1;
    text.substring(0, whole).lines().filter(it -> !it.isBlank()).forEach(taker);
    if (!text.substring(whole).isBlank()) {
      found.broken("cut off: " + text.substring(whole));
    }
  }

  private void job(String line, Parsed.Collector<SlurmJob> found) {
    String[] words = line.split("\\|", -1);
    if (words.length != JOB_COLUMNS + 1) {
      found.broken("%d columns instead of %d: %s".formatted(words.length - 1, JOB_COLUMNS, line));
      return;
    }
    try {
      Set<String> states = SlurmWords.states(words[1]);
      found.judge(states, SlurmWords.JOB);
      found.add(
          new SlurmJob(
              Long.parseLong(words[0]),
              words[10],
              words[2],
              states,
              words[9].equals("None") ? "" : words[9],
              Integer.parseInt(words[3]),
              words[4].equals("1"),
              Integer.parseInt(words[5]),
              ScontrolText.Hosts.expand(words[8]),
              List.of(),
              SlurmTime.read(words[6], zone),
              SlurmTime.read(words[7], zone)));
    } catch (IllegalArgumentException | HoldfastException wrong) {
      found.broken(wrong.getMessage() + ": " + line);
    }
  }

  private static void step(String line, Parsed.Collector<SlurmStep> found) {
    String[] words = line.split("\\|", -1);
    int dot = words[0].indexOf('.');
    if (words.length != STEP_COLUMNS || dot <= 0) {
      found.broken("not a step: " + line);
      return;
    }
    try {
      found.add(
          new SlurmStep(
              words[0].substring(0, dot),
              words[0].substring(dot + 1),
              Integer.parseInt(words[1]),
              ScontrolText.Hosts.expand(words[2])));
    } catch (IllegalArgumentException | HoldfastException wrong) {
      found.broken(wrong.getMessage() + ": " + line);
    }
  }
}
