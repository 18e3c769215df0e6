package dev.holdfast.os.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * Whose a file is and who else may write or read it, the file itself and not what a link leads to.
 *
 * @param who the name of that user, or the number where there is none
 * @param shared whether its group has others in it, as far as names tell: the group of a person has
 *     the person's name
 */
record Ownership(Path file, int user, String who, int mode, boolean link, boolean shared) {
  private static final int STICKY = 01000;
  private static final int GROUP_WRITES = 020;
  private static final int OTHERS_WRITE = 02;
  private static final int READ_BY_OTHERS = 044;
  private static final int ENTERED_BY_OTHERS = 011;

  static Ownership of(Path file) throws IOException {
    PosixFileAttributes named =
        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    String group = named.group().getName();
    return new Ownership(
        file,
        number(file, "unix:uid"),
        named.owner().getName(),
        number(file, "unix:mode") & 07777,
        named.isSymbolicLink(),
        !group.equals(named.owner().getName()) && !group.equals(Self.NAME));
  }

  /** One of the numbers that the portable attributes have only names for. */
  private static int number(Path file, String attribute) throws IOException {
    return Files.getAttribute(file, attribute, LinkOption.NOFOLLOW_LINKS) instanceof Integer number
        ? number
        : -1;
  }

  /** Whether somebody beside its owner may write to it. */
  boolean writtenByOthers() {
    return !link && ((mode & OTHERS_WRITE) != 0 || (mode & GROUP_WRITES) != 0 && shared);
  }

  boolean writtenByAll() {
    return (mode & OTHERS_WRITE) != 0;
  }

  /** Whether others may put something else in the place of what is in this folder. */
  boolean movedByOthers() {
    return writtenByOthers() && (mode & STICKY) == 0;
  }

  /** Whether others may open what is in this folder. */
  boolean enteredByOthers() {
    return (mode & ENTERED_BY_OTHERS) != 0;
  }

  boolean readByOthers() {
    return !link && (mode & READ_BY_OTHERS) != 0;
  }

  /** As `ls` and `chmod` write it. */
  String digits() {
    return "%04o".formatted(mode);
  }

  /** Who we are: the owner of our own process. */
  static final class Self {
    static final int USER;
    static final String NAME;

    static {
      Path process = Path.of("/proc/self");
      try {
        USER = number(process.toRealPath(), "unix:uid");
        NAME = Files.getOwner(process).getName();
      } catch (IOException noProc) {
        throw new ExceptionInInitializerError(noProc);
      }
    }

    private Self() {}
  }
}
