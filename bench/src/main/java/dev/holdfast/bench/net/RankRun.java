package dev.holdfast.bench.net;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A rank that was started somewhere. */
public interface RankRun {
  /** The process of this machine that is the rank, or stands for it. */
  long pid();

  /** The last lines it wrote. */
  List<String> said();

  /** Its exit code, once it has ended and all it wrote was read. */
  CompletableFuture<Integer> ended();

  void kill();
}
