package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the driver of a network card counts: what {@code ethtool -S} prints, asked of the kernel
 * itself. Pauses and discards of Ethernet ports are told nowhere else. Needs no privileges and
 * changes nothing.
 */
public final class CardStatistics {
  /** {@code struct ifreq}: the name of the interface, then a pointer to what is asked. */
  static final int REQUEST_BYTES = 40;

  static final int NAME_BYTES = 16;

  static final int SIOCETHTOOL = 0x8946;
  static final int SET_SIZES = 0x37;
  static final int STRINGS = 0x1b;
  static final int STATISTICS = 0x1d;
  static final int STATISTICS_SET = 1;

  /** {@code struct ethtool_sset_info}: how many of each kind there are. */
  static final int MASK = 8;

  static final int SIZES_AT = 16;

  /** {@code struct ethtool_gstrings}: the names of one kind. */
  static final int SET = 4;

  static final int STRINGS_COUNT = 8;
  static final int STRINGS_AT = 12;

  /** {@code struct ethtool_stats} */
  static final int STATISTICS_COUNT = 4;

  static final int STATISTICS_AT = 8;

  static final int STRING_BYTES = 32;

  static final int INTERNET = 2;
  static final int DATAGRAM = 2;
  static final int CLOSE_ON_EXEC = 0x80000;

  /** Cards with hundreds of queues have some ten thousand counters. */
  private static final int MOST = 1 << 17;

  /**
   * The kernel fills in as many as there are when it is asked, not as many as there is room for: a
   * card that gains queues between two questions must find room.
   */
  private static final int SPARE = 1 << 13;

  private CardStatistics() {}

  /** By name, in the driver's order; empty where the driver tells nothing. */
  public static Map<String, Long> read(String card) {
    byte[] name = card.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length >= NAME_BYTES) {
      return Map.of();
    }
    int socket = Libc.socket(INTERNET, DATAGRAM | CLOSE_ON_EXEC);
    if (socket < 0) {
      return Map.of();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
      MemorySegment.copy(name, 0, request, JAVA_BYTE, 0, name.length);
      return read(arena, socket, request);
    } finally {
      Libc.close(socket);
    }
  }

  private static Map<String, Long> read(Arena arena, int socket, MemorySegment request) {
    MemorySegment sizes = arena.allocate(SIZES_AT + 8, 8);
    sizes.set(JAVA_LONG, MASK, 1L << STATISTICS_SET);
    if (!asked(socket, request, SET_SIZES, sizes) || sizes.get(JAVA_LONG, MASK) == 0) {
      return Map.of();
    }
    int count = sizes.get(JAVA_INT, SIZES_AT);
    if (count <= 0 || count > MOST) {
      return Map.of();
    }
    long room = (long) count + SPARE;
    MemorySegment names = arena.allocate(STRINGS_AT + room * STRING_BYTES, 8);
    names.set(JAVA_INT, SET, STATISTICS_SET);
    names.set(JAVA_INT, STRINGS_COUNT, count);
    MemorySegment values = arena.allocate(STATISTICS_AT + room * 8, 8);
    values.set(JAVA_INT, STATISTICS_COUNT, count);
    if (!asked(socket, request, STRINGS, names)
        || !asked(socket, request, STATISTICS, values)
        || names.get(JAVA_INT, STRINGS_COUNT) != values.get(JAVA_INT, STATISTICS_COUNT)) {
      return Map.of();
    }
    Map<String, Long> statistics = new LinkedHashMap<>();
    int told = Math.clamp(values.get(JAVA_INT, STATISTICS_COUNT), 0, (int) room);
    for (int i = 0; i < told; i++) {
      statistics.put(
          name(names, STRINGS_AT + (long) i * STRING_BYTES),
          values.getAtIndex(JAVA_LONG, STATISTICS_AT / 8 + i));
    }
    return statistics;
  }

  private static boolean asked(
      int socket, MemorySegment request, int question, MemorySegment answer) {
    answer.set(JAVA_INT, 0, question);
    request.set(JAVA_LONG, NAME_BYTES, answer.address());
    return Libc.deviceControl(socket, SIOCETHTOOL, request) >= 0;
  }

  /** Up to the first zero; a driver may fill all of it. */
  private static String name(MemorySegment names, long at) {
    byte[] bytes = names.asSlice(at, STRING_BYTES).toArray(JAVA_BYTE);
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
  }
}
