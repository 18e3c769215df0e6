package dev.holdfast.core.forensics.flight;

import dev.holdfast.core.forensics.PlainPickle;
import dev.holdfast.core.text.Json;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads one dump of PyTorch's flight recorder, pickle or JSON, of every version known (a bare list
 * of entries in the first releases; 1.x and 2.0 to 2.10 since). Entries go into columns as they
 * come, so memory does not grow with what a dump says of each; where a dump breaks off, what came
 * before is kept.
 */
public final class FlightReader {
  private static final int MOST_JSON = 512 << 20;
  private static final int MOST_ENTRIES = 2_000_000;

  private final int rank;
  private final Vocabulary vocabulary;
  private final Entries entries = new Entries();
  private final Map<String, Group> groups = new HashMap<>();
  private final Map<String, Group> unknown = new HashMap<>();
  private final Map<Long, String> named = new HashMap<>();

  /** Numbers of words of this dump, without asking all the others. */
  private final Map<Object, Integer> numbers = new HashMap<>();

  private final Map<Object, Boolean> transfers = new HashMap<>();

  /** What is left where an entry was. */
  private static final Object TAKEN = "";

  private FlightReader(int rank, Vocabulary vocabulary) {
    this.rank = rank;
    this.vocabulary = vocabulary;
  }

  /**
   * The dump of one rank.
   *
   * @throws IllegalArgumentException if it is no dump
   */
  public static Flight read(int rank, InputStream in, Vocabulary vocabulary) throws IOException {
    return new FlightReader(rank, vocabulary).read(in);
  }

  private Flight read(InputStream stream) throws IOException {
    BufferedInputStream in = new BufferedInputStream(stream, 1 << 16);
    in.mark(1);
    int first = in.read();
    in.reset();
    Object top;
    String partial = "";
    try {
      top = first == '{' || first == '[' ? json(in) : PlainPickle.read(in, this::shape);
    } catch (EOFException broken) {
      if (entries.size() == 0 && groups.isEmpty()) {
        throw new IllegalArgumentException("it breaks off before anything is said", broken);
      }
      top = Map.of();
      partial = String.valueOf(broken.getMessage());
    }
    Map<?, ?> all = top instanceof Map<?, ?> map ? map : Map.of();
    boolean told =
        entries.size() > 0
            || !groups.isEmpty()
            || all.containsKey("entries")
            || all.containsKey("pg_status");
    if (!told) {
      throw new IllegalArgumentException("neither entries nor groups are in it");
    }
    entries.trim();
    return new Flight(
        rank,
        text(all.get("version")),
        text(
            all.containsKey("comm_lib_version")
                ? all.get("comm_lib_version")
                : all.get("nccl_version")),
        Map.copyOf(groups),
        statuses(all.get("pg_status")),
        entries,
        partial);
  }

  private @Nullable Object json(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_JSON + 1);
    if (bytes.length > MOST_JSON) {
      throw new IllegalArgumentException("more than 512 MiB of JSON");
    }
    Object top = Json.read(new String(bytes, StandardCharsets.UTF_8));
    if (top instanceof Map<?, ?> all && all.get("pg_config") instanceof Map<?, ?> config) {
      config.values().forEach(this::shapeMap);
    }
    Object list = top instanceof Map<?, ?> all ? all.get("entries") : top;
    if (list instanceof List<?> many) {
      many.forEach(this::shapeMap);
    }
    return top;
  }

  private void shapeMap(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      @Nullable Object[] pairs = new Object[2 * map.size()];
      int at = 0;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        pairs[at++] = entry.getKey();
        pairs[at++] = entry.getValue();
      }
      shape(pairs, 0, at);
    }
  }

  /** An entry goes into the columns, a group into its place; the rest stays what it is. */
  private @Nullable Object shape(@Nullable Object[] pairs, int from, int to) {
    if (from < to && "record_id".equals(pairs[from])) {
      entry(pairs, from, to);
      return TAKEN;
    }
    for (int i = from; i < to; i += 2) {
      if (!(pairs[i] instanceof String key)) {
        return null;
      }
      switch (key) {
        case "profiling_name" -> {
          entry(pairs, from, to);
          return TAKEN;
        }
        case "ranks" -> {
          if (value(pairs, from, to, "name") != null) {
            group(pairs, from, to);
            return TAKEN;
          }
        }
        default -> {}
      }
    }
    return null;
  }

  private int number(Object word) {
    Integer known = numbers.get(word);
    if (known == null) {
      known = vocabulary.number(word);
      numbers.put(word, known);
    }
    return known;
  }

  private void group(@Nullable Object[] pairs, int from, int to) {
    String name = text(value(pairs, from, to, "name"));
    Object ranks = value(pairs, from, to, "ranks");
    int[] members =
        ranks instanceof List<?> list
            ? list.stream().mapToInt(rank -> (int) number(rank, 0)).toArray()
            : vocabulary.members(text(ranks));
    groups.put(name, vocabulary.group(name, text(value(pairs, from, to, "desc")), members));
  }

  private void entry(@Nullable Object[] pairs, int from, int to) {
    if (entries.size() == MOST_ENTRIES) {
      throw new IllegalArgumentException("more than " + MOST_ENTRIES + " entries");
    }
    int at = entries.add();
    String name = "";
    String role = "";
    long alone = -1;
    entries.record[at] = at;
    entries.sizes[at] = -1;
    entries.types[at] = -1;
    entries.elements[at] = -1;
    for (int i = from; i + 1 < to; i += 2) {
      Object value = pairs[i + 1];
      if (value == null || !(pairs[i] instanceof String key)) {
        continue;
      }
      switch (key) {
        case "record_id", "id" -> entries.record[at] = number(value, at);
        case "pg_id" -> alone = number(value, -1);
        case "process_group" -> {
          if (value instanceof List<?> pair && !pair.isEmpty()) {
            name = text(pair.getFirst());
            role = pair.size() > 1 ? text(pair.get(1)) : "";
          }
        }
        case "collective_seq_id", "seq_id" -> entries.sequence[at] = number(value, 0);
        case "profiling_name" -> {
          entries.operation[at] = number(value);
          entries.pointToPoint[at] =
              transfers.computeIfAbsent(
                  value, _ -> vocabulary.operation(entries.operation[at]).pointToPoint());
        }
        case "input_sizes" -> {
          entries.sizes[at] = number(value);
          entries.elements[at] = elements(value);
        }
        case "input_dtypes" -> entries.types[at] = number(value);
        case "state" -> entries.state[at] = state(text(value));
        case "time_created_ns" -> entries.created[at] = number(value, 0);
        case "time_discovered_started_ns" -> entries.started[at] = number(value, 0);
        case "time_discovered_completed_ns" -> entries.completed[at] = number(value, 0);
        default -> {}
      }
    }
    String known = name.isEmpty() ? String.valueOf(alone) : name;
    String kind = role;
    Group group = groups.get(known);
    entries.group[at] =
        (group != null
                ? group
                : unknown.computeIfAbsent(known, it -> vocabulary.group(it, kind, new int[0])))
            .id();
    if (alone >= 0) {
      named.putIfAbsent(alone, known);
    }
  }

  /** How far the rank is in each group, by our number of the group. */
  private Map<Integer, Flight.Status> statuses(@Nullable Object tree) {
    TreeMap<Long, Flight.Status> byNumber = new TreeMap<>();
    if (tree instanceof Map<?, ?> map) {
      map.forEach(
          (id, value) -> {
            if (value instanceof Map<?, ?> last) {
              byNumber.put(
                  number(id, -1),
                  new Flight.Status(
                      number(last.get("last_enqueued_collective"), -1),
                      number(last.get("last_completed_collective"), -1)));
            }
          });
    }
    Map<Integer, Flight.Status> byGroup = new HashMap<>();
    GroupNumbers.match(byNumber.keySet(), groups.keySet(), named)
        .forEach(
            (number, name) -> {
              Group group = groups.getOrDefault(name, unknown.get(name));
              Flight.Status last = byNumber.get(number);
              if (group != null && last != null) {
                byGroup.put(group.id(), last);
              }
            });
    return byGroup;
  }

  private static byte state(String word) {
    return switch (word) {
      case "completed" -> Entries.COMPLETED;
      case "started" -> Entries.STARTED;
      default -> Entries.SCHEDULED;
    };
  }

  private static @Nullable Object value(@Nullable Object[] pairs, int from, int to, String key) {
    for (int i = from; i + 1 < to; i += 2) {
      if (key.equals(pairs[i])) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** Of all tensors together; −1: none is told of. */
  private static long elements(Object sizes) {
    if (!(sizes instanceof List<?> tensors)) {
      return -1;
    }
    long sum = 0;
    for (Object tensor : tensors) {
      long product = 1;
      if (tensor instanceof List<?> dimensions) {
        for (Object dimension : dimensions) {
          product *= number(dimension, 1);
        }
      }
      sum += product;
    }
    return sum;
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  /** JSON dumps write some numbers as text. */
  private static long number(@Nullable Object value, long otherwise) {
    return switch (value) {
      case Long number -> number;
      case String text -> {
        try {
          yield Long.parseLong(text.strip());
        } catch (NumberFormatException notANumber) {
          yield otherwise;
        }
      }
      case null, default -> otherwise;
    };
  }
}
