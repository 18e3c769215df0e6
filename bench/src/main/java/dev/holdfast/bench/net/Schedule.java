package dev.holdfast.bench.net;

import dev.holdfast.bench.net.Step.Local;
import dev.holdfast.bench.net.Step.Piece;
import dev.holdfast.bench.net.Step.Transfer;
import dev.holdfast.core.network.Collective;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What each rank does in an operation. Pure: the same for every transport, and testable without
 * any.
 */
final class Schedule {
  /** Up to here the number of steps decides, beyond the number of bytes. */
  static final long SMALL_OF_TWO = 64 << 10;

  static final long SMALL = 16 << 10;

  /** Up to here few steps are worth more than passing on while receiving, as a ring does. */
  static final long MIDDLING = 1 << 20;

  /** Messages on their way at once when bandwidth between two ranks is measured, as OSU has it. */
  static final int WINDOW = 64;

  private final Operation operation;
  private final int rank;
  private final int ranks;
  private final long bytes;
  private final long base;

  /**
   * @param base where in the buffers it is done
   */
  private Schedule(Operation operation, int rank, long base) {
    this.operation = operation;
    this.base = base;
    this.rank = rank;
    this.ranks = operation.ranks();
    this.bytes = operation.bytes();
  }

  static List<Step> of(Operation operation, int rank) {
    if (operation.ranks() == 1) {
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    for (int piece = 0; piece < operation.pieces(); piece++) {
      steps.addAll(new Schedule(operation, rank, piece * operation.bytes()).steps());
    }
    return steps;
  }

  private List<Step> steps() {
    return switch (operation.collective()) {
      case ALL_REDUCE ->
          switch (operation.algorithm()) {
            case RING -> List.of(ring(rank - 1, 2 * (ranks - 1), ranks - 1));
            case HALVING -> among(this::halving);
            default -> among(this::doubling);
          };
      case REDUCE_SCATTER -> List.of(ring(rank - 1, ranks - 1, ranks - 1));
      case ALL_GATHER -> List.of(ring(rank, ranks - 1, 0));
      case BROADCAST ->
          operation.algorithm() == Algorithm.CHAIN ? List.of(chainDown()) : treeDown();
      case REDUCE -> operation.algorithm() == Algorithm.CHAIN ? List.of(chainUp()) : treeUp();
      case ALL_TO_ALL -> pairwise();
      case GATHER -> gather();
      case SCATTER -> scatter();
      case BARRIER -> dissemination();
      case LATENCY -> pingPong();
      case BANDWIDTH -> window();
      case BIDIRECTIONAL -> bothWays();
      case SEND_RECV, HYPERCUBE ->
          throw new IllegalArgumentException(operation.collective().word() + " is not measured");
    };
  }

  private Piece data(long at, long bytes) {
    return new Piece(Step.DATA, base + at, bytes);
  }

  private Piece whole() {
    return data(0, bytes);
  }

  /** One of as many blocks as there are ranks, in whole elements; some may be empty. */
  private Piece block(int number) {
    int index = Math.floorMod(number, ranks);
    long count = bytes / operation.element().bytes();
    long from = count * index / ranks * operation.element().bytes();
    long to = count * (index + 1) / ranks * operation.element().bytes();
    return data(from, to - from);
  }

  private int at(int distance) {
    return Math.floorMod(rank + distance, ranks);
  }

  /** The blocks come one after the other, each received just before it is passed on. */
  private Transfer ring(int first, int steps, int adding) {
    List<Piece> out = new ArrayList<>();
    List<Piece> in = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      out.add(block(first - step));
      in.add(block(first - step - 1));
    }
    return new Transfer(at(1), out, at(-1), in, adding, out.getFirst().bytes(), false);
  }

  private Transfer exchange(int partner) {
    return new Transfer(
        partner, List.of(whole()), partner, List.of(whole()), 1, Transfer.AT_ONCE, true);
  }

  /** Where ranks are no power of two, the others hand their part to a partner and wait. */
  private List<Step> among(IntFunction<List<Step>> algorithm) {
    int power = Integer.highestOneBit(ranks);
    List<Step> steps = new ArrayList<>();
    if (rank >= power) {
      steps.add(Transfer.send(rank - power, whole()));
      steps.add(Transfer.receive(rank - power, false, whole()));
      return steps;
    }
    boolean helps = rank + power < ranks;
    if (helps) {
      steps.add(Transfer.receive(rank + power, true, whole()));
    }
    steps.addAll(algorithm.apply(power));
    if (helps) {
      steps.add(Transfer.send(rank + power, whole()));
    }
    return steps;
  }

  private List<Step> doubling(int power) {
    List<Step> steps = new ArrayList<>();
    for (int distance = 1; distance < power; distance *= 2) {
      steps.add(exchange(rank ^ distance));
    }
    return steps;
  }

  private List<Step> halving(int power) {
    List<Step> summing = new ArrayList<>();
    List<Step> spreading = new ArrayList<>();
    Piece mine = whole();
    for (int distance = power / 2; distance > 0; distance /= 2) {
      long lower = mine.bytes() / operation.element().bytes() / 2 * operation.element().bytes();
      Piece first = new Piece(Step.DATA, mine.at(), lower);
      Piece second = new Piece(Step.DATA, mine.at() + lower, mine.bytes() - lower);
      boolean takesFirst = (rank & distance) == 0;
      mine = takesFirst ? first : second;
      Piece theirs = takesFirst ? second : first;
      summing.add(swap(rank ^ distance, theirs, mine, 1));
      spreading.addFirst(swap(rank ^ distance, mine, theirs, 0));
    }
    summing.addAll(spreading);
    return summing;
  }

  private static Transfer swap(int partner, Piece out, Piece in, int adding) {
    return new Transfer(
        partner, List.of(out), partner, List.of(in), adding, Transfer.AT_ONCE, false);
  }

  /** Counted from the root. */
  private int place() {
    return Math.floorMod(rank - operation.root(), ranks);
  }

  private int rankAt(int place) {
    return Math.floorMod(place + operation.root(), ranks);
  }

  private Transfer chainDown() {
    int place = place();
    if (place == 0) {
      return Transfer.send(at(1), whole());
    }
    return place == ranks - 1
        ? Transfer.receive(at(-1), false, whole())
        : new Transfer(at(1), List.of(whole()), at(-1), List.of(whole()), 0, 0, false);
  }

  private Transfer chainUp() {
    int place = place();
    if (place == 0) {
      return Transfer.receive(at(1), true, whole());
    }
    return place == ranks - 1
        ? Transfer.send(at(-1), whole())
        : new Transfer(at(-1), List.of(whole()), at(1), List.of(whole()), 1, 0, false);
  }

  private List<Step> treeDown() {
    int place = place();
    List<Step> steps = new ArrayList<>();
    int low = place == 0 ? Integer.highestOneBit(ranks) * 2 : Integer.lowestOneBit(place);
    if (place != 0) {
      steps.add(Transfer.receive(rankAt(place - low), false, whole()));
    }
    for (int distance = low / 2; distance > 0; distance /= 2) {
      if (place + distance < ranks) {
        steps.add(Transfer.send(rankAt(place + distance), whole()));
      }
    }
    return steps;
  }

  private List<Step> treeUp() {
    int place = place();
    List<Step> steps = new ArrayList<>();
    int low = place == 0 ? Integer.highestOneBit(ranks) * 2 : Integer.lowestOneBit(place);
    for (int distance = 1; distance < low; distance *= 2) {
      if (place + distance < ranks) {
        steps.add(Transfer.receive(rankAt(place + distance), true, whole()));
      }
    }
    if (place != 0) {
      steps.add(Transfer.send(rankAt(place - low), whole()));
    }
    return steps;
  }

  private List<Step> pairwise() {
    List<Step> steps = new ArrayList<>();
    steps.add(new Local(block(rank), other(block(rank))));
    for (int distance = 1; distance < ranks; distance++) {
      steps.add(
          new Transfer(
              at(distance),
              List.of(block(at(distance))),
              at(-distance),
              List.of(other(block(at(-distance)))),
              0,
              Transfer.AT_ONCE,
              false));
    }
    return steps;
  }

  private static Piece other(Piece data) {
    return new Piece(Step.OTHER, data.at(), data.bytes());
  }

  private List<Step> gather() {
    if (place() != 0) {
      return List.of(Transfer.send(operation.root(), block(rank)));
    }
    List<Step> steps = new ArrayList<>();
    for (int distance = 1; distance < ranks; distance++) {
      steps.add(Transfer.receive(at(distance), false, block(at(distance))));
    }
    return steps;
  }

  private List<Step> scatter() {
    if (place() != 0) {
      return List.of(Transfer.receive(operation.root(), false, block(rank)));
    }
    List<Step> steps = new ArrayList<>();
    for (int distance = 1; distance < ranks; distance++) {
      steps.add(Transfer.send(at(distance), block(at(distance))));
    }
    return steps;
  }

  private List<Step> dissemination() {
    List<Step> steps = new ArrayList<>();
    Piece signal = data(0, operation.element().bytes());
    for (int distance = 1; distance < ranks; distance *= 2) {
      steps.add(
          new Transfer(
              at(distance),
              List.of(signal),
              at(-distance),
              List.of(other(signal)),
              0,
              Transfer.AT_ONCE,
              false));
    }
    return steps;
  }

  private List<Step> pingPong() {
    return switch (rank) {
      case 0 -> List.of(Transfer.send(1, whole()), Transfer.receive(1, false, other(whole())));
      case 1 -> List.of(Transfer.receive(0, false, other(whole())), Transfer.send(0, whole()));
      default -> List.of();
    };
  }

  private List<Step> window() {
    Piece[] out = new Piece[WINDOW];
    Piece[] in = new Piece[WINDOW];
    java.util.Arrays.fill(out, whole());
    java.util.Arrays.fill(in, other(whole()));
    Piece answer = data(0, operation.element().bytes());
    return switch (rank) {
      case 0 -> List.of(Transfer.send(1, out), Transfer.receive(1, false, other(answer)));
      case 1 -> List.of(Transfer.receive(0, false, in), Transfer.send(0, answer));
      default -> List.of();
    };
  }

  private List<Step> bothWays() {
    if (rank > 1) {
      return List.of();
    }
    List<Piece> out = java.util.Collections.nCopies(WINDOW, whole());
    List<Piece> in = java.util.Collections.nCopies(WINDOW, other(whole()));
    return List.of(new Transfer(1 - rank, out, 1 - rank, in, 0, Transfer.AT_ONCE, false));
  }

  /** The way that suits the size. */
  static Algorithm algorithm(Collective collective, long bytes, int ranks) {
    boolean small = bytes <= (ranks == 2 ? SMALL_OF_TWO : SMALL);
    return switch (collective) {
      case ALL_REDUCE ->
          small
              ? Algorithm.DOUBLING
              : ranks > 2 && Integer.bitCount(ranks) == 1 && bytes <= MIDDLING
                  ? Algorithm.HALVING
                  : Algorithm.RING;
      case BROADCAST, REDUCE -> small ? Algorithm.TREE : Algorithm.CHAIN;
      case ALL_GATHER, REDUCE_SCATTER -> Algorithm.RING;
      case ALL_TO_ALL -> Algorithm.PAIRWISE;
      case BARRIER -> Algorithm.DISSEMINATION;
      default -> Algorithm.DIRECT;
    };
  }
}
