package dev.holdfast.bench.imports;

import dev.holdfast.core.network.Collective;
import java.util.Optional;
import java.util.OptionalInt;

/** What a person says about a file because the file does not. */
public record Hints(OptionalInt ranks, Optional<Collective> collective) {
  public static final Hints NONE = new Hints(OptionalInt.empty(), Optional.empty());

  int needRanks(String why) {
    return ranks.orElseThrow(() -> new IllegalArgumentException(why + ": give --ranks N"));
  }
}
