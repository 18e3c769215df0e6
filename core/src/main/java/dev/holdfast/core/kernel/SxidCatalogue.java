package dev.holdfast.core.kernel;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which SXid codes exist and what each means: {@code sxid.tsv}. */
public final class SxidCatalogue {
  private static final List<SxidEntry> ENTRIES =
      Table.read(SxidCatalogue.class, "sxid.tsv", SxidEntry::of);
  private static final Map<Integer, SxidEntry> BY_CODE =
      ENTRIES.stream().collect(Collectors.toUnmodifiableMap(SxidEntry::code, Function.identity()));

  private SxidCatalogue() {}

  /** Every entry, by code. */
  public static List<SxidEntry> entries() {
    return ENTRIES;
  }

  public static Optional<SxidEntry> find(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }
}
