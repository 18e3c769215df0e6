package dev.holdfast.bench.store;

import dev.holdfast.os.libc.CpuAffinity;
import java.io.IOException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which CPUs servers have and which the clients, so that neither takes time from the other. */
public record CpuShares(BitSet servers, BitSet clients) {

  /** Half of those this process may use for each, where not named; all for both where only one. */
  public static CpuShares of(@Nullable String servers, @Nullable String clients)
      throws IOException {
    BitSet allowed = CpuAffinity.permitted();
    if (allowed.cardinality() < 2) {
      return new CpuShares(allowed, allowed);
    }
    BitSet first = new BitSet();
    BitSet others = new BitSet();
    int half = allowed.cardinality() / 2;
    allowed.stream().forEach(cpu -> (first.cardinality() < half ? first : others).set(cpu));
    return new CpuShares(
        servers == null ? first : read("--server-cpus", servers, allowed),
        clients == null ? others : read("--client-cpus", clients, allowed));
  }

  static BitSet read(String option, String text, BitSet allowed) {
    BitSet cpus = new BitSet();
    for (String part : text.split(",", -1)) {
      String[] ends = part.strip().split("-", 2);
      try {
        int from = Integer.parseInt(ends[0]);
        int to = ends.length == 1 ? from : Integer.parseInt(ends[1]);
        if (from > to || from < 0 || to > 8191) {
          throw new NumberFormatException();
        }
        cpus.set(from, to + 1);
      } catch (NumberFormatException wrong) {
        throw new IllegalArgumentException(option + ": '" + text + "' is no list such as 0-3,8");
      }
    }
    BitSet missing = (BitSet) cpus.clone();
    missing.andNot(allowed);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(option + ": CPUs " + missing + " may not be used here");
    }
    return cpus;
  }
}
