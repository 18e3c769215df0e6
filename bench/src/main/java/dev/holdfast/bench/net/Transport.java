package dev.holdfast.bench.net;

import java.util.Locale;

/** What carries the bytes between two ranks. */
public enum Transport {
  TCP,
  /** Unix sockets; one machine only. */
  UNIX,
  /** Shared memory; one machine only. */
  SHM,
  /** NVIDIA's library, a GPU for each rank. */
  NCCL,
  /** Whatever MPI chooses; its own ranks, for comparison. */
  MPI;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
