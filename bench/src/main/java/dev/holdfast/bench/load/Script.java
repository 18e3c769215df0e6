package dev.holdfast.bench.load;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * What every connection does again and again: requests in turn, each with an answer of known length
 * that is waited for before the next is sent. A request without an answer is followed by the next
 * at once.
 *
 * @param steps the requests of one connection, by its number; all connections' are equally long
 * @param answers bytes each is answered with
 * @param operations how many operations one turn counts for
 * @param firstByte what the last answer must begin with; below zero: anything
 */
record Script(
    IntFunction<List<byte[]>> steps, List<Integer> answers, int operations, int firstByte) {
  private static final byte[] VALUE = new byte[16];

  /** Sets in a row before a client waits; without a bound they would only fill buffers. */
  static final int SETS = 8;

  static final String MISSING = "bench/never";

  Script {
    answers = List.copyOf(answers);
  }

  /** A key of its own for each connection, equally long. */
  static String key(int connection) {
    return "bench/%08d".formatted(connection);
  }

  /** The key is set, and the answer to a look at it says that it was. */
  static Script preparation() {
    return new Script(
        c -> List.of(Wire.set(key(c), VALUE), Wire.check(key(c))), List.of(0, 1), 1, 0);
  }

  static Script of(String operation) {
    return switch (operation.toLowerCase(Locale.ROOT)) {
      case "add" -> new Script(c -> List.of(Wire.add(counter(c), 1)), List.of(8), 1, -1);
      case "get" ->
          new Script(
              c -> List.of(Wire.await(key(c)), Wire.get(key(c))),
              List.of(1, 8 + VALUE.length),
              1,
              VALUE.length);
      case "wait" -> new Script(c -> List.of(Wire.await(key(c))), List.of(1), 1, 0);
      case "check" -> new Script(c -> List.of(Wire.check(key(c))), List.of(1), 1, 0);
      case "set" -> sets();
      default -> throw new IllegalArgumentException("no operation is called '" + operation + "'");
    };
  }

  private static Script sets() {
    List<Integer> answers = new java.util.ArrayList<>(java.util.Collections.nCopies(SETS, 0));
    answers.add(1);
    return new Script(
        c -> {
          List<byte[]> steps =
              new java.util.ArrayList<>(
                  java.util.Collections.nCopies(SETS, Wire.set(key(c), VALUE)));
          steps.add(Wire.check(key(c)));
          return steps;
        },
        answers,
        SETS,
        0);
  }

  private static String counter(int connection) {
    return "bench/count/%08d".formatted(connection);
  }
}
