package dev.holdfast.bench.ledger;

/** How much came in over an interface, by the text of {@code /proc/net/dev}. */
final class InterfaceBytes {
  private InterfaceBytes() {}

  static boolean known(String table, String name) {
    return table.lines().map(String::strip).anyMatch(line -> line.startsWith(name + ":"));
  }

  /** Zero where there is no such interface. */
  static long received(String table, String name) {
    return table
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> first(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  private static long first(String numbers) {
    try {
      return Long.parseLong(numbers.split("\\s+", 2)[0]);
    } catch (NumberFormatException untold) {
      return 0;
    }
  }
}
