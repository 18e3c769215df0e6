package dev.holdfast.core.forensics.stacks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of gdb's backtrace as a frame: {@code #1 0x00007f in poll (fds=0x1) at poll.c:29}, also
 * without address, source or library. Names of C++ hold blanks and parentheses of their own ({@code
 * f<void (int)>}, {@code operator()}), and arguments hold about anything, so the name is what
 * stands before the first parenthesis after a blank outside of angle brackets.
 */
final class NativeFrame {
  private static final Pattern NUMBER = Pattern.compile("#\\d{1,6}\\s+(?:0x[0-9a-fA-F]+ in )?");
  private static final Pattern SOURCE = Pattern.compile(" at (\\S[^()]*):(\\d{1,9})\\s*$");
  private static final Pattern LIBRARY = Pattern.compile(" from (\\S+)\\s*$");

  /** What gdb writes for code without a name. */
  private static final String UNKNOWN = "??";

  private NativeFrame() {}

  /** Empty where the line is none. */
  static String of(String line) {
    Matcher number = NUMBER.matcher(line);
    if (!number.lookingAt()) {
      return "";
    }
    String rest = line.substring(number.end()).stripTrailing();
    String name = rest.substring(0, end(rest)).strip();
    if (name.isEmpty()) {
      return "";
    }
    Matcher source = SOURCE.matcher(rest);
    if (source.find()) {
      return name + "@" + file(source.group(1)) + ":" + source.group(2);
    }
    Matcher library = LIBRARY.matcher(rest);
    return name.equals(UNKNOWN) && library.find() ? name + "@" + file(library.group(1)) : name;
  }

  /** Where the name ends. */
  private static int end(String rest) {
    int depth = 0;
    int first = -1;
    for (int i = 0; i < rest.length(); i++) {
      char c = rest.charAt(i);
      boolean operator = i >= 8 && rest.startsWith("operator", i - 8);
      if (c == '<' && !operator) {
        depth++;
      } else if (c == '>' && depth > 0 && !operator && rest.charAt(i - 1) != '-') {
        depth--;
      } else if (c == ' ' && i + 1 < rest.length() && rest.charAt(i + 1) == '(') {
        if (depth == 0) {
          return i;
        }
        first = first < 0 ? i : first;
      }
    }
    return first < 0 ? rest.length() : first;
  }

  private static String file(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
