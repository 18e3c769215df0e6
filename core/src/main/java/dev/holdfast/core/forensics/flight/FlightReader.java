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
import java.util.Set;
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

  /** What is read of a group. */
  private static final Set<String> GROUP = Set.of("name", "desc", "ranks");

  private final int rank;
  private final Vocabulary vocabulary;
  private final Map<String, Group> groups = new HashMap<>();
  private final EntryReader entries;

  /** What is left where an entry was. */
  private static final Object TAKEN = "";

  private FlightReader(int rank, Vocabulary vocabulary) {
    this.rank = rank;
    this.vocabulary = vocabulary;
    this.entries = new EntryReader(vocabulary, groups);
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
      top = first == '{' || first == '[' ? json(in) : PlainPickle.read(in, new Shaping());
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
    return new Flight(
        rank,
        text(all.get("version")),
        text(
            all.containsKey("comm_lib_version")
                ? all.get("comm_lib_version")
                : all.get("nccl_version")),
        Map.copyOf(groups),
        statuses(all.get("pg_status")),
        entries.all(),
        partial);
  }

  private @Nullable Object json(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_JSON + 1);
    if (bytes.length > MOST_JSON) {
      throw new IllegalArgumentException("more than 512 MiB of JSON");
    }
    Object top = Json.foreign(new String(bytes, StandardCharsets.UTF_8));
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

  /** What a dump says of each call is passed over where nobody asks for it. */
  private final class Shaping implements PlainPickle.Shaper {
    @Override
    public @Nullable Object shape(@Nullable Object[] pairs, int from, int to) {
      return FlightReader.this.shape(pairs, from, to);
    }

    @Override
    public boolean wants(String key) {
      return GROUP.contains(key) || EntryReader.wants(key);
    }
  }

  /** An entry goes into the columns, a group into its place; the rest stays what it is. */
  private @Nullable Object shape(@Nullable Object[] pairs, int from, int to) {
    if (from < to && "record_id".equals(pairs[from])) {
      entries.add(pairs, from, to);
      return TAKEN;
    }
    for (int i = from; i < to; i += 2) {
      if (!(pairs[i] instanceof String key)) {
        return null;
      }
      switch (key) {
        case "profiling_name" -> {
          entries.add(pairs, from, to);
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

  private void group(@Nullable Object[] pairs, int from, int to) {
    String name = text(value(pairs, from, to, "name"));
    Object ranks = value(pairs, from, to, "ranks");
    int[] members =
        ranks instanceof List<?> list
            ? list.stream().mapToInt(rank -> (int) number(rank, 0)).toArray()
            : vocabulary.members(text(ranks));
    groups.put(name, vocabulary.group(name, text(value(pairs, from, to, "desc")), members));
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
    GroupNumbers.match(byNumber.keySet(), groups.keySet(), entries.named())
        .forEach(
            (number, name) -> {
              Group group = entries.group(name);
              Flight.Status last = byNumber.get(number);
              if (group != null && last != null) {
                byGroup.put(group.id(), last);
              }
            });
    return byGroup;
  }

  private static @Nullable Object value(@Nullable Object[] pairs, int from, int to, String key) {
    for (int i = from; i + 1 < to; i += 2) {
      if (key.equals(pairs[i])) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  /** JSON dumps write some numbers as text. */
  static long number(@Nullable Object value, long otherwise) {
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof String text) {
      try {
        return Long.parseLong(text.strip());
      } catch (NumberFormatException notANumber) {
        return otherwise;
      }
    }
    return otherwise;
  }
}
