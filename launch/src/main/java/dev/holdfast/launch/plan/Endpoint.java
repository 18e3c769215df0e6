package dev.holdfast.launch.plan;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A host with perhaps a port: {@code n1}, {@code n1:29400}, {@code [fe80::1]:29400}. */
record Endpoint(String host, OptionalInt port) {
  static final int DEFAULT_PORT = 29400;

  private static final Pattern TEXT =
      Pattern.compile("(\\[[^\\]\\s]+\\]|[^:\\s]+)(?::([0-9]{1,5}))?");

  static Endpoint parse(String text) {
    String plain = text.strip();
    if (plain.indexOf(':') != plain.lastIndexOf(':') && !plain.startsWith("[")) {
      // An IPv6 address without brackets: all of it is the address.
      return new Endpoint(plain, OptionalInt.empty());
    }
    Matcher match = TEXT.matcher(plain);
    if (!match.matches()) {
      throw wrong(text);
    }
    String host = match.group(1);
    String port = match.group(2);
    if (port != null && Integer.parseInt(port) > 65535) {
      throw wrong(text);
    }
    return new Endpoint(
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port)));
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException("'" + text + "' is no HOST[:PORT]");
  }
}
