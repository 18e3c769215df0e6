package dev.holdfast.bench.net;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Which transport a word means. */
public final class Transports {
  private Transports() {}

  /** Shared memory is the fastest; where there is no room for it, Unix sockets are next. */
  public static Transport named(String word, int ranks) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "auto" -> RankPlaces.room(ranks) > 0 ? Transport.SHM : Transport.UNIX;
      case "tcp" -> Transport.TCP;
      case "unix" -> Transport.UNIX;
      case "shm" -> Transport.SHM;
      case "nccl" -> Transport.NCCL;
      case "mpi" -> Transport.MPI;
      default ->
          throw new IllegalArgumentException(
              "--transport: auto, tcp, unix, shm, nccl or mpi, not '" + word + "'");
    };
  }

  /** The same operations in the way this transport performs them. */
  public static List<Operation> performed(List<Operation> operations, Transport transport) {
    if (transport == Transport.MPI) {
      MpiBench.requireKnown(operations);
    } else if (transport != Transport.NCCL) {
      return operations;
    }
    return operations.stream()
        .map(it -> it.algorithm().answers() ? it : it.by(Algorithm.LIBRARY))
        .toList();
  }

  /** Refuses more ranks than this machine can have; others tell when they are asked. */
  public static void requireRoom(Transport transport, int ranks) {
    if (transport != Transport.NCCL) {
      return;
    }
    int gpus = NcclFiles.gpus(System.getenv(), Path.of("/"));
    if (ranks > gpus) {
      throw new IllegalArgumentException(
          "%d %s, but %d %s here: NCCL takes a GPU for each rank"
              .formatted(ranks, ranks == 1 ? "rank" : "ranks", gpus, gpus == 1 ? "GPU" : "GPUs"));
    }
  }

  /** How many ranks are started when nobody says: with NCCL as many as it has GPUs. */
  public static int ranks(String word) {
    return word.equalsIgnoreCase("nccl")
        ? Math.max(1, NcclFiles.gpus(System.getenv(), Path.of("/")))
        : 2;
  }
}
