package dev.holdfast.os.file;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Somebody else has, or may have, put that there. The message has the command that mends it. */
public final class NotOurs extends FileSystemException {
  private static final long serialVersionUID = 1;

  /**
   * @param command what mends it, when the file follows
   */
  NotOurs(Path file, String found, String expected, String command) {
    this(file, "%s; expected %s: %s %s".formatted(found, expected, command, quoted(file)));
  }

  NotOurs(Path file, String why) {
    super(file.toString(), null, file + " " + why);
  }

  /** The whole sentence. */
  @Override
  public String getMessage() {
    return getReason();
  }

  private static String quoted(Path file) {
    String path = file.toString();
    return path.matches("[A-Za-z0-9_./+@:-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
