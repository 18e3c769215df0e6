package dev.holdfast.bench.store;

import dev.holdfast.bench.peer.Contender;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param contenders ours first, then those it is compared with
 * @param connections how many clients a load has, case by case
 * @param storm the largest number of clients for what happens to all at once
 * @param rounds how often each contender has its turn; they take turns, and medians are compared
 * @param serverCpus where servers run, and
 * @param loadCpus where the clients do
 * @param slowNames clients for the row with a slow name server; 0: no such row
 */
public record StorePlan(
    List<Contender> contenders,
    List<String> operations,
    List<Integer> connections,
    int storm,
    double warmUpSeconds,
    double seconds,
    int rounds,
    BitSet serverCpus,
    BitSet loadCpus,
    int slowNames) {
  /** More threads would only wake each other. */
  private static final int MOST_LOAD_THREADS = 16;

  private static final List<String> EVENTS =
      List.of(
          Case.ACCEPT,
          Case.FAN_OUT,
          Case.CANCEL,
          Case.CANCEL_OWN,
          Case.DISCONNECT,
          Case.DISCONNECT_OWN);

  public static final List<String> OPERATIONS = List.of("add", "get", "wait", "check", "set");

  public StorePlan {
    contenders = List.copyOf(contenders);
    operations = List.copyOf(operations);
    connections = List.copyOf(connections);
    for (String operation : operations) {
      if (!OPERATIONS.contains(operation)) {
        throw new IllegalArgumentException(
            "--ops: '" + operation + "' is none of " + String.join(", ", OPERATIONS));
      }
    }
    for (int count : connections) {
      if (count < 1 || count > 60_000) {
        throw new IllegalArgumentException("--connections: " + count + " is not in 1-60000");
      }
    }
    if (seconds < 0.1 || seconds > 600) {
      throw new IllegalArgumentException("--seconds: " + seconds + " is not in 0.1-600");
    }
    if (rounds < 1 || rounds > 100) {
      throw new IllegalArgumentException("--rounds: " + rounds + " is not in 1-100");
    }
  }

  int loadThreads() {
    return Math.min(loadCpus.cardinality(), MOST_LOAD_THREADS);
  }

  /** Everything measured on servers that stay, in this order. */
  List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String operation : operations) {
      for (int count : connections) {
        cases.add(new Case(Case.LOAD, operation, count));
      }
    }
    for (String measure : EVENTS) {
      for (int count : stormSizes()) {
        cases.add(new Case(measure, "", count));
      }
    }
    return cases;
  }

  /** A quarter, a half and all: what is linear takes four times as long for all. */
  List<Integer> stormSizes() {
    return storm < 4 ? List.of() : List.of(storm / 4, storm / 2, storm);
  }
}
