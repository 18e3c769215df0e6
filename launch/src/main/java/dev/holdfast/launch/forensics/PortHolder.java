package dev.holdfast.launch.forensics;

import dev.holdfast.os.net.SocketOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A port was taken: who listens there now, if it is a port of this machine? */
final class PortHolder {
  private static final Duration LIMIT = Duration.ofMillis(500);
  private static final Path PROC = Path.of("/proc");
  private static final Pattern PORT =
      Pattern.compile("\\bport[ :=\\[]{1,3}(\\d{2,5})\\b|[\\]\\w*?]:(\\d{2,5})\\b");

  private PortHolder() {}

  /** One line of evidence, empty: the words name no port, or nobody who can be seen has it. */
  static Optional<String> of(String words) {
    Matcher named = PORT.matcher(words);
    if (!named.find()) {
      return Optional.empty();
    }
    int port = Integer.parseInt(named.group(1) == null ? named.group(2) : named.group(1));
    return new SocketOwners(PROC)
        .listener(port, LIMIT)
        .map(
            pid ->
                "on this machine, now: process %d (%s) listens on port %d"
                    .formatted(pid, name(pid), port));
  }

  private static String name(long pid) {
    try {
      return Files.readString(PROC.resolve(String.valueOf(pid)).resolve("comm")).strip();
    } catch (IOException gone) {
      return "gone since";
    }
  }
}
