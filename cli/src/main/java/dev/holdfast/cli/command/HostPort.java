package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;

/** A place to listen on or to connect to: {@code host:port}, {@code [::1]:port}. */
record HostPort(String host, int port) {
  static HostPort parse(String option, String text) {
    int colon = text.lastIndexOf(':');
    try {
      String host = text.substring(0, Math.max(0, colon));
      int port = Integer.parseInt(text.substring(colon + 1));
      if (host.startsWith("[") && host.endsWith("]")) {
        host = host.substring(1, host.length() - 1);
      } else if (host.contains(":")) {
        host = "";
      }
      if (!host.isEmpty() && port >= 0 && port <= 65_535) {
        return new HostPort(host, port);
      }
    } catch (NumberFormatException notNumber) {
      // Said below.
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE,
        option + ": '" + text + "' is not HOST:PORT such as 10.0.0.1:29499 or [::1]:29499");
  }
}
