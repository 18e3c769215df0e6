package dev.holdfast.bench.flight;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What is left of a dump that was lost.
 *
 * @param unclear whether what the rank did last is not in it
 */
record Leftover(Optional<byte[]> bytes, boolean unclear) {

  static Leftover of(
      Map<String, Object> tree, boolean json, boolean nothing, SplittableRandom random) {
    int kind = nothing ? 0 : random.nextInt(4);
    if (kind == 0) {
      return new Leftover(Optional.empty(), true);
    }
    if (kind == 1) {
      return new Leftover(Optional.of(new byte[0]), true);
    }
    if (json || kind == 2) {
      byte[] garbage = JsonWriter.of(tree).getBytes(StandardCharsets.UTF_8);
      return new Leftover(Optional.of(Arrays.copyOf(garbage, garbage.length / 2)), true);
    }
    PickleWriter writer = PickleWriter.of(tree);
    byte[] all = writer.bytes();
    int cut = all.length / 2 + random.nextInt(all.length / 2);
    long whole = writer.ends.stream().filter(end -> end < cut).count();
    return new Leftover(
        Optional.of(Arrays.copyOf(all, cut)),
        !(tree.get("entries") instanceof List<?> entries) || firstOpen(entries) >= whole);
  }

  private static int firstOpen(List<?> entries) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof Map<?, ?> entry && !"completed".equals(entry.get("state"))) {
        return i;
      }
    }
    return Integer.MAX_VALUE;
  }
}
