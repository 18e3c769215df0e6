package dev.holdfast.core.topology;

import java.util.Locale;
import java.util.Optional;

/** The one form of a PCI address among those that tools write. */
final class PciAddress {
  private PciAddress() {}

  /** {@code 0000:1b:00.0} for it and for NVML's {@code 00000000:1B:00.0}. */
  static Optional<String> parse(String text) {
    String address = text.strip().toLowerCase(Locale.ROOT);
    if (!address.matches("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]")) {
      return Optional.empty();
    }
    int colon = address.indexOf(':');
    String domain = address.substring(0, colon);
    while (domain.length() > 4 && domain.startsWith("0")) {
      domain = domain.substring(1);
    }
    return Optional.of(domain + address.substring(colon));
  }
}
