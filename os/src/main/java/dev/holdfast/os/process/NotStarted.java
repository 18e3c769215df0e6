package dev.holdfast.os.process;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program itself could not be started: it is missing, not executable, not a program. */
public final class NotStarted extends IOException {
  private static final long serialVersionUID = 1;
  private static final Pattern REASON = Pattern.compile("error: \\d+ \\((.+)\\)\\s*$");

  NotStarted(String program, IOException cause) {
    super(program + ": " + reason(String.valueOf(cause.getMessage()), program), cause);
  }

  private static String reason(String message, String program) {
    Matcher plain = REASON.matcher(message);
    String start = program + ": ";
    return plain.find()
        ? plain.group(1)
        : message.startsWith(start) ? message.substring(start.length()) : message;
  }
}
