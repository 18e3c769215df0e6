package dev.holdfast.launch.watch;

/** What {@code /proc/PID/io} says: bytes of read and write calls, whatever kind of file. */
final class IoCounters {
  private IoCounters() {}

  /** {@code rchar + wchar}, or −1 when the text is not there. */
  static long bytes(String text) {
    long read = field(text, "rchar: ");
    long written = field(text, "wchar: ");
    return read < 0 || written < 0 ? -1 : read + written;
  }

  private static long field(String text, String name) {
    int at = text.indexOf(name);
    if (at < 0) {
      return -1;
    }
    long number = 0;
    int i = at + name.length();
    int first = i;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      number = number * 10 + (text.charAt(i) - '0');
      i++;
    }
    return i == first ? -1 : number;
  }
}
