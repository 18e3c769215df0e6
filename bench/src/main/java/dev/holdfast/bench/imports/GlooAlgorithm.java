package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import java.util.Locale;
import java.util.Optional;

/**
 * What does a name of gloo's benchmark stand for, and how many bytes are its elements?
 *
 * <p>What is printed as elements is what the benchmark was given, not what it moved: an allgather
 * and a scatter take as many for each rank, an alltoall for each rank and always of eight bytes,
 * all others for the whole. The size printed beside is the elements times four, two with
 * --half-precision, whatever is moved.
 *
 * @param name in lower case, as on gloo's command line
 * @param collective what it is here
 */
record GlooAlgorithm(String name, Collective collective) {
  private static final int FLOAT = 4;
  private static final int EXCHANGED = 8;

  /** An {@link IllegalArgumentException} says why its rows cannot be taken. */
  static GlooAlgorithm named(String printed) {
    String name = printed.toLowerCase(Locale.ROOT);
    if (name.endsWith("_v")) {
      throw new IllegalArgumentException(
          name + " gives every rank another share: the size printed is none of them");
    }
    if (name.endsWith("_stress")) {
      throw new IllegalArgumentException(
          name + " times many messages at once and does not tell how many");
    }
    if (name.equals("allreduce_local")) {
      throw new IllegalArgumentException(name + " stays inside one process");
    }
    return new GlooAlgorithm(
        name,
        collective(name)
            .orElseThrow(() -> new IllegalArgumentException("no collective known as " + name)));
  }

  private static Optional<Collective> collective(String name) {
    String plain = name.replaceFirst("^(cuda_|new_)+", "");
    if (plain.startsWith("pairwise")) {
      return Optional.of(Collective.BIDIRECTIONAL);
    }
    if (plain.startsWith("barrier")) {
      return Optional.of(Collective.BARRIER);
    }
    if (plain.equals("sendrecv_roundtrip")) {
      return Optional.of(Collective.LATENCY);
    }
    return NcclTests.inName(plain);
  }

  /** Whether the printed times are of the way there and back, and half of them counts. */
  boolean thereAndBack() {
    return collective == Collective.LATENCY;
  }

  /** How many bytes an element is taken to have where no size is printed. */
  int width() {
    return collective == Collective.BIDIRECTIONAL ? 1 : FLOAT;
  }

  /**
   * The bytes of the whole.
   *
   * @param printed elements times their width
   * @param inputs how many buffers each process has; only the ring gathers all of them
   */
  long whole(long elements, long printed, int ranks, int inputs) {
    return switch (collective) {
      case ALL_GATHER -> printed * ranks * (name.equals("allgather_ring") ? inputs : 1);
      case SCATTER -> printed * ranks;
      case ALL_TO_ALL -> elements * EXCHANGED * ranks;
      default -> printed;
    };
  }
}
