package dev.holdfast.core.forensics.flight;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the entries of one dump into columns. There are thousands, written alike by one program:
 * what was looked up for one of them is at hand for the next.
 */
final class EntryReader {
  private static final int MOST_ENTRIES = 2_000_000;
  private static final int MOST_KEYS = 64;

  /** What is read of an entry. */
  private enum Field {
    RECORD,
    GROUP_NUMBER,
    GROUP,
    SEQUENCE,
    TRANSFER,
    CALL,
    SIZES,
    TYPES,
    STATE,
    CREATED,
    STARTED,
    COMPLETED,
    NONE
  }

  private static final Map<String, Field> FIELDS =
      Map.ofEntries(
          Map.entry("record_id", Field.RECORD),
          Map.entry("id", Field.RECORD),
          Map.entry("pg_id", Field.GROUP_NUMBER),
          Map.entry("process_group", Field.GROUP),
          Map.entry("collective_seq_id", Field.SEQUENCE),
          Map.entry("seq_id", Field.SEQUENCE),
          Map.entry("p2p_seq_id", Field.TRANSFER),
          Map.entry("profiling_name", Field.CALL),
          Map.entry("input_sizes", Field.SIZES),
          Map.entry("input_dtypes", Field.TYPES),
          Map.entry("state", Field.STATE),
          Map.entry("time_created_ns", Field.CREATED),
          Map.entry("time_discovered_started_ns", Field.STARTED),
          Map.entry("time_discovered_completed_ns", Field.COMPLETED));

  private record Call(int number, boolean pointToPoint) {}

  private record Sizes(int number, long elements) {}

  private final Vocabulary vocabulary;
  private final Map<String, Group> groups;
  private final Map<String, Group> unknown = new HashMap<>();
  private final Map<Long, String> named = new HashMap<>();
  private final Map<Object, Call> calls = new HashMap<>();
  private final Map<Object, Sizes> sizes = new HashMap<>();
  private final Map<Object, Integer> types = new HashMap<>();
  private final Entries entries = new Entries();

  /** The keys of the entry before, and what they mean: the next one has the same. */
  private final @Nullable Object[] keys = new Object[MOST_KEYS];

  private final Field[] fields = new Field[MOST_KEYS];

  /**
   * @param groups those the dump describes, which it does before it names them
   */
  EntryReader(Vocabulary vocabulary, Map<String, Group> groups) {
    this.vocabulary = vocabulary;
    this.groups = groups;
  }

  static boolean wants(String key) {
    return FIELDS.containsKey(key);
  }

  int size() {
    return entries.size();
  }

  /** No more comes. */
  Entries all() {
    entries.trim();
    new Batches(entries, vocabulary).settle();
    return entries;
  }

  /** The names of groups by the numbers entries gave them. */
  Map<Long, String> named() {
    return named;
  }

  /** The group of that name, described or only named. */
  @Nullable Group group(String name) {
    Group described = groups.get(name);
    return described != null ? described : unknown.get(name);
  }

  /**
   * Takes one entry.
   *
   * @param pairs its keys and values by turns, from {@code from} to before {@code to}
   */
  void add(@Nullable Object[] pairs, int from, int to) {
    if (entries.size() == MOST_ENTRIES) {
      throw new IllegalArgumentException("more than " + MOST_ENTRIES + " entries");
    }
    int at = entries.add();
    String name = "";
    String role = "";
    long number = -1;
    entries.record[at] = -1;
    entries.sizes[at] = -1;
    entries.types[at] = -1;
    entries.elements[at] = -1;
    entries.transfer[at] = -1;
    for (int i = from; i + 1 < to; i += 2) {
      Object value = pairs[i + 1];
      if (value == null) {
        continue;
      }
      switch (field((i - from) / 2, pairs[i])) {
        case RECORD -> entries.record[at] = FlightReader.number(value, -1);
        case GROUP_NUMBER -> number = FlightReader.number(value, -1);
        case GROUP -> {
          if (value instanceof List<?> pair && !pair.isEmpty()) {
            name = FlightReader.text(pair.getFirst());
            role = pair.size() > 1 ? FlightReader.text(pair.get(1)) : "";
          }
        }
        case SEQUENCE -> entries.sequence[at] = FlightReader.number(value, 0);
        case TRANSFER -> entries.transfer[at] = (int) FlightReader.number(value, -1);
        case CALL -> {
          Call call = call(value);
          entries.operation[at] = call.number;
          entries.pointToPoint[at] = call.pointToPoint;
        }
        case SIZES -> {
          Sizes known = sizes(value);
          entries.sizes[at] = known.number;
          entries.elements[at] = known.elements;
        }
        case TYPES -> entries.types[at] = types(value);
        case STATE -> entries.state[at] = state(FlightReader.text(value));
        case CREATED -> entries.created[at] = FlightReader.number(value, 0);
        case STARTED -> entries.started[at] = FlightReader.number(value, 0);
        case COMPLETED -> entries.completed[at] = FlightReader.number(value, 0);
        case NONE -> {}
      }
    }
    entries.group[at] = group(name, role, number).id();
  }

  private Field field(int place, @Nullable Object key) {
    if (place >= MOST_KEYS) {
      return meaning(key);
    }
    if (key == null || keys[place] != key) {
      keys[place] = key;
      fields[place] = meaning(key);
    }
    return fields[place];
  }

  private static Field meaning(@Nullable Object key) {
    return key instanceof String text ? FIELDS.getOrDefault(text, Field.NONE) : Field.NONE;
  }

  private Group group(String name, String role, long number) {
    String known = name.isEmpty() ? String.valueOf(number) : name;
    if (number >= 0) {
      named.putIfAbsent(number, known);
    }
    Group group = group(known);
    if (group == null) {
      group = vocabulary.group(known, role, new int[0]);
      unknown.put(known, group);
    }
    return group;
  }

  private Call call(Object name) {
    Call call = calls.get(name);
    if (call == null) {
      int number = vocabulary.number(name);
      call = new Call(number, vocabulary.operation(number).pointToPoint());
      calls.put(name, call);
    }
    return call;
  }

  private Sizes sizes(Object tensors) {
    Sizes known = sizes.get(tensors);
    if (known == null) {
      known = new Sizes(vocabulary.number(tensors), elements(tensors));
      sizes.put(tensors, known);
    }
    return known;
  }

  private int types(Object names) {
    Integer known = types.get(names);
    if (known == null) {
      known = vocabulary.number(names);
      types.put(names, known);
    }
    return known;
  }

  private static byte state(String word) {
    return switch (word) {
      case "completed" -> Entries.COMPLETED;
      case "started" -> Entries.STARTED;
      default -> Entries.SCHEDULED;
    };
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
          product *= FlightReader.number(dimension, 1);
        }
      }
      sum += product;
    }
    return sum;
  }
}
