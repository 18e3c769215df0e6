package dev.holdfast.core.kernel;

import dev.holdfast.core.text.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which Xid codes exist and what each means: {@code xid.tsv}. */
public final class XidCatalogue {
  private static final List<XidEntry> ENTRIES =
      Table.read(XidCatalogue.class, "xid.tsv", XidEntry::of);
  private static final Map<Integer, XidEntry> BY_CODE =
      ENTRIES.stream().collect(Collectors.toUnmodifiableMap(XidEntry::code, Function.identity()));

  private XidCatalogue() {}

  /** Every entry, by code. */
  public static List<XidEntry> entries() {
    return ENTRIES;
  }

  public static Optional<XidEntry> find(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }
}
