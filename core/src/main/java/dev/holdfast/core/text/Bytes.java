package dev.holdfast.core.text;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, which people write as {@code 64MiB} or {@code 4 GB}. */
public record Bytes(long count) implements Comparable<Bytes> {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([A-Za-z]*)");
  private static final Map<String, Long> UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("kb", 1_000L),
          Map.entry("m", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("mb", 1_000_000L),
          Map.entry("g", 1L << 30),
          Map.entry("gib", 1L << 30),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("t", 1L << 40),
          Map.entry("tib", 1L << 40),
          Map.entry("tb", 1_000_000_000_000L));

  public Bytes {
    if (count < 0) {
      throw new IllegalArgumentException("negative size: " + count);
    }
  }

  public static Bytes of(long count) {
    return new Bytes(count);
  }

  public static Bytes mebibytes(long count) {
    return new Bytes(Math.multiplyExact(count, 1L << 20));
  }

  /** Reads {@code 64MiB}, {@code 4 GB}, {@code 512k} (a bare letter is binary) or plain bytes. */
  public static Bytes parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    Long unit = form.matches() ? UNITS.get(form.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("not a size: '" + text + "' (write 64MiB or 4GB)");
    }
    try {
      BigDecimal count = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit));
      return new Bytes(count.toBigInteger().longValueExact());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("size out of range: '" + text + "'", e);
    }
  }

  @Override
  public int compareTo(Bytes other) {
    return Long.compare(count, other.count);
  }

  /** Binary units, at most one decimal: {@code 143 GiB}, {@code 1.5 MiB}, {@code 512 B}. */
  @Override
  public String toString() {
    String[] names = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = count;
    int unit = 0;
    while (Math.round(value) >= 1024 && unit < names.length - 1) {
      value /= 1024;
      unit++;
    }
    String number =
        value == Math.rint(value) || value >= 100
            ? Long.toString(Math.round(value))
            : String.format(Locale.ROOT, "%.1f", value);
    return number + " " + names[unit];
  }
}
