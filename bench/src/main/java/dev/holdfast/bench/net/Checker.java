package dev.holdfast.bench.net;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** Fills buffers before an operation and counts what is wrong after it. */
record Checker(Operation operation, int rank, List<MemorySegment> buffers) implements Checked {

  /** Of every piece, where there are several. */
  static Checked of(Operation operation, int rank, List<MemorySegment> buffers) {
    if (operation.pieces() == 1) {
      return new Checker(operation, rank, buffers);
    }
    Operation one = operation.inPieces(1);
    List<Checker> pieces =
        IntStream.range(0, operation.pieces())
            .mapToObj(
                piece ->
                    buffers.get(Step.DATA).asSlice(piece * operation.bytes(), operation.bytes()))
            .map(data -> new Checker(one, rank, List.of(data, buffers.get(Step.OTHER))))
            .toList();
    return new Checked() {
      @Override
      public void fill() {
        pieces.forEach(Checker::fill);
      }

      @Override
      public long wrong() {
        return pieces.stream().mapToLong(Checker::wrong).sum();
      }
    };
  }

  private long count() {
    return operation.bytes() / operation.element().bytes();
  }

  private long block() {
    return Math.max(1, count() / operation.ranks());
  }

  /** Everybody fills everything: what an operation shall bring is then wrong before it. */
  @Override
  public void fill() {
    Element element = operation.element();
    MemorySegment data = buffers.get(Step.DATA);
    for (long i = 0; i < count(); i++) {
      element.set(data, i, Element.value(rank, i, operation.ranks()));
    }
    if (operation.needsOther()) {
      buffers.get(Step.OTHER).asSlice(0, operation.bytes()).fill((byte) 0x55);
    }
  }

  @Override
  public long wrong() {
    return switch (operation.collective()) {
      case ALL_REDUCE -> sums(0, count());
      case REDUCE -> rank == operation.root() ? sums(0, count()) : 0;
      case REDUCE_SCATTER -> sums(rank * block(), (rank + 1) * block());
      case BROADCAST -> of(operation.root(), Step.DATA, 0, count(), 0);
      case SCATTER -> of(operation.root(), Step.DATA, rank * block(), (rank + 1) * block(), 0);
      case ALL_GATHER -> blocks();
      case GATHER -> rank == operation.root() ? blocks() : 0;
      case ALL_TO_ALL -> exchanged();
      case LATENCY, BIDIRECTIONAL -> rank > 1 ? 0 : of(1 - rank, Step.OTHER, 0, count(), 0);
      case BANDWIDTH -> rank == 1 ? of(0, Step.OTHER, 0, count(), 0) : 0;
      default -> 0;
    };
  }

  private long sums(long from, long to) {
    int[] sums = Element.sums(operation.ranks());
    MemorySegment data = buffers.get(Step.DATA);
    long wrong = 0;
    for (long i = from; i < to && i < count(); i++) {
      wrong += operation.element().is(data, i, Element.sum(sums, i)) ? 0 : 1;
    }
    return wrong;
  }

  /** Whether these elements are those that a rank had, so far away. */
  private long of(int source, int buffer, long from, long to, long shift) {
    MemorySegment data = buffers.get(buffer);
    long wrong = 0;
    for (long i = from; i < to && i < count(); i++) {
      int expected = Element.value(source, i + shift, operation.ranks());
      wrong += operation.element().is(data, i, expected) ? 0 : 1;
    }
    return wrong;
  }

  private long blocks() {
    long wrong = 0;
    for (int source = 0; source < operation.ranks(); source++) {
      wrong += of(source, Step.DATA, source * block(), (source + 1) * block(), 0);
    }
    return wrong;
  }

  private long exchanged() {
    long wrong = 0;
    for (int source = 0; source < operation.ranks(); source++) {
      wrong +=
          of(
              source,
              Step.OTHER,
              source * block(),
              (source + 1) * block(),
              (rank - source) * block());
    }
    return wrong;
  }
}
