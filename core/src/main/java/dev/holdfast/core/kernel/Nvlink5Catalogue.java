package dev.holdfast.core.kernel;

import dev.holdfast.core.text.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What does an Xid 144 to 150 ask for? {@code nvlink5.tsv}, matched the way the vendor describes:
 * mask over the interrupt word, then the status word. The mask to use depends on the driver.
 */
public final class Nvlink5Catalogue {
  private static final List<Nvlink5Entry> ENTRIES =
      Table.read(Nvlink5Catalogue.class, "nvlink5.tsv", Nvlink5Entry::of);

  /** The last Xid whose status words are sets of flags rather than numbers. */
  private static final int LAST_FLAGS_XID = 148;

  /** Which form the interrupt word has. */
  public enum Generation {
    BEFORE_R575,
    FROM_R575,
    UNKNOWN;

    static Generation of(Optional<String> driverVersion) {
      return driverVersion
          .map(version -> version.strip().split("\\.", 2)[0])
          .filter(branch -> branch.matches("\\d{3,4}"))
          .map(branch -> Integer.parseInt(branch) < 575 ? BEFORE_R575 : FROM_R575)
          .orElse(UNKNOWN);
    }
  }

  private Nvlink5Catalogue() {}

  /** Every row, by Xid and unit. */
  public static List<Nvlink5Entry> entries() {
    return ENTRIES;
  }

  /**
   * The row for a line, the gravest if several fit: an unknown driver means both forms are tried,
   * and a status with several flags is looked up flag by flag.
   */
  public static Optional<Nvlink5Entry> find(
      int xid, String unit, int interrupt, int status, Generation generation) {
    List<Nvlink5Entry> found = matches(xid, interrupt, status, generation);
    if (found.isEmpty() && xid <= LAST_FLAGS_XID) {
      for (int flags = status; flags != 0; flags &= flags - 1) {
        found.addAll(matches(xid, interrupt, Integer.lowestOneBit(flags), generation));
      }
    }
    List<Nvlink5Entry> named = found.stream().filter(entry -> entry.named(unit)).toList();
    return (named.isEmpty() ? found : named)
        .stream().max(Comparator.comparing(Nvlink5Entry::severity));
  }

  private static List<Nvlink5Entry> matches(
      int xid, int interrupt, int status, Generation generation) {
    List<Nvlink5Entry> found = new ArrayList<>();
    for (Nvlink5Entry entry : ENTRIES) {
      if (entry.xid() == xid && entry.statuses().contains(status)) {
        boolean before =
            generation != Generation.FROM_R575 && entry.maskBefore575().matches(interrupt);
        boolean from =
            generation != Generation.BEFORE_R575 && entry.maskFrom575().matches(interrupt);
        if (before || from) {
          found.add(entry);
        }
      }
    }
    return found;
  }
}
