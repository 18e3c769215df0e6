package dev.holdfast.core.slurm;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's JSON, of its programs ({@code --json}) and of slurmrestd, in both shapes it has had:
 * until 22.05 a state is a text with a list of flags beside it and numbers are plain; later a state
 * is a list, and a number an object that says whether it is set. Fields this does not need may be
 * anything.
 *
 * <p>An answer that is not JSON at all, or lists nothing of what was asked for, is refused as a
 * whole.
 */
public final class SlurmJson {
  private SlurmJson() {}

  /** The nodes of an answer; {@link IllegalArgumentException} if it is not one. */
  public static Parsed<SlurmNode> nodes(String text) {
    Parsed.Collector<SlurmNode> found = new Parsed.Collector<>();
    each(text, "nodes", found, SlurmJson::node);
    return found.parsed();
  }

  public static Parsed<SlurmJob> jobs(String text) {
    Parsed.Collector<SlurmJob> found = new Parsed.Collector<>();
    each(text, "jobs", found, SlurmJson::job);
    return found.parsed();
  }

  /** Of which cluster an answer is, where that is said: not before 23.11. */
  public static String cluster(String text) {
    return Json.foreignObject(text).get("meta") instanceof Map<?, ?> meta
            && (meta.get("slurm") instanceof Map<?, ?> slurm)
            && slurm.get("cluster") instanceof String name
        ? name
        : "";
  }

  private static <T> void each(
      String text,
      String list,
      Parsed.Collector<T> found,
      BiConsumer<Map<?, ?>, Parsed.Collector<T>> reader) {
    Map<String, @Nullable Object> answer = Json.foreignObject(text);
    if (!(answer.get(list) instanceof List<?> items)) {
      throw new IllegalArgumentException(
          "no list of %s in the answer%s".formatted(list, errors(answer)));
    }
    for (Object item : items) {
      if (!(item instanceof Map<?, ?> fields)) {
        found.broken("not an object among " + list);
        continue;
      }
      try {
        reader.accept(fields, found);
      } catch (IllegalArgumentException | HoldfastException wrong) {
        found.broken(String.valueOf(wrong.getMessage()));
      }
    }
  }

  /** What Slurm says was wrong. */
  private static String errors(Map<String, @Nullable Object> answer) {
    return answer.get("errors") instanceof List<?> errors && !errors.isEmpty()
        ? "; Slurm says " + Json.line(errors.getFirst())
        : "";
  }

  private static void node(Map<?, ?> fields, Parsed.Collector<SlurmNode> found) {
    Set<String> states = states(fields, "state");
    if (fields.get("state_flags") instanceof List<?> flags) {
      flags.forEach(it -> SlurmWords.add(String.valueOf(it), states));
    }
    found.judge(states, SlurmWords.NODE);
    found.add(
        new SlurmNode(
            required(fields, "name"),
            states,
            text(fields, "reason"),
            text(fields, "reason_set_by_user"),
            time(fields, "reason_changed_at"),
            text(fields, "comment"),
            fields.get("partitions") instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of(),
            text(fields, "gres")));
  }

  private static void job(Map<?, ?> fields, Parsed.Collector<SlurmJob> found) {
    Set<String> states = states(fields, "job_state");
    found.judge(states, SlurmWords.JOB);
    String reason = text(fields, "state_reason");
    long id =
        number(fields, "job_id")
            .orElseThrow(() -> new IllegalArgumentException("a job without job_id"));
    found.add(
        new SlurmJob(
            id,
            SlurmJob.handle(
                id,
                number(fields, "array_job_id").orElse(0L),
                number(fields, "array_task_id")
                    .map(it -> Long.toString(it))
                    .orElse(text(fields, "array_task_string"))),
            text(fields, "user_name"),
            states,
            reason.equals("None") ? "" : reason,
            small(fields, "restart_cnt"),
            Boolean.TRUE.equals(fields.get("requeue")),
            small(fields, "tasks"),
            ScontrolText.Hosts.expand(text(fields, "nodes")),
            ScontrolText.Hosts.expand(text(fields, "excluded_nodes")),
            time(fields, "submit_time"),
            time(fields, "start_time")));
  }

  private static Set<String> states(Map<?, ?> fields, String name) {
    Set<String> states = new TreeSet<>();
    switch (fields.get(name)) {
      case String one -> states.addAll(SlurmWords.states(one));
      case List<?> many -> many.forEach(it -> SlurmWords.add(String.valueOf(it), states));
      case null, default -> {}
    }
    if (states.isEmpty()) {
      throw new IllegalArgumentException("no " + name);
    }
    return states;
  }

  private static String required(Map<?, ?> fields, String name) {
    String text = text(fields, name);
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no " + name);
    }
    return text;
  }

  private static String text(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof String text ? text : "";
  }

  private static Optional<Instant> time(Map<?, ?> fields, String name) {
    return number(fields, name).flatMap(SlurmTime::of);
  }

  private static int small(Map<?, ?> fields, String name) {
    return number(fields, name).map(it -> (int) Math.clamp(it, 0, Integer.MAX_VALUE)).orElse(0);
  }

  /** A plain number, or an object with the number in it where it is set. */
  private static Optional<Long> number(Map<?, ?> fields, String name) {
    return switch (fields.get(name)) {
      case Long plain -> Optional.of(plain);
      case Map<?, ?> told
          when Boolean.TRUE.equals(told.get("set")) && told.get("number") instanceof Long value ->
          Optional.of(value);
      case null, default -> Optional.empty();
    };
  }
}
