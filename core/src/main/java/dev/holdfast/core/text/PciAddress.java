package dev.holdfast.core.text;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One text form for PCI addresses. Drivers print {@code PCI:0000:3b:00}, {@code 03:00.0} or {@code
 * 00000000:3B:00.0}; sysfs prints {@code 0000:3b:00.0}. Only the last is used here.
 */
public final class PciAddress {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:PCI:)?(?:([0-9A-Fa-f]{4,8}):)?([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})(?:\\.([0-7]))?");

  private PciAddress() {}

  public static Optional<String> normalise(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String domain = form.group(1) == null ? "0000" : form.group(1);
    while (domain.length() > 4 && domain.charAt(0) == '0') {
      domain = domain.substring(1);
    }
    String function = form.group(4) == null ? "0" : form.group(4);
    return Optional.of(
        (domain + ":" + form.group(2) + ":" + form.group(3) + "." + function)
            .toLowerCase(Locale.ROOT));
  }
}
