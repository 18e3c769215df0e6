package dev.holdfast.os.file;

import dev.holdfast.os.file.Ownership.Self;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Can what lies in a state folder have been put there by somebody else? A token, a key or the
 * address of a server that a stranger wrote would be obeyed as if it were ours, so such a folder is
 * refused, as ssh refuses keys.
 *
 * <p>The folder and every file in it must belong to this user or to root and be written by nobody
 * else, secrets must be read by nobody else, and of the folders above none may let others rename
 * what is in it (/tmp does not: it is sticky). What root lets a group write to is root's decision:
 * volumes of Kubernetes are so.
 */
public final class OwnFolder {
  private static final int ROOT = 0;

  /** Whom a container shows for users of its host. */
  private static final int NOBODY = 65_534;

  private static final int MOST_FILES = 10_000;

  private OwnFolder() {}

  /** Makes the folder, for this user alone, or refuses the one that is there. */
  public static void open(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    require(folder, Self.USER);
  }

  /**
   * Refuses the folder for reading, too. Root may read what a service of another user wrote, if
   * nobody but that user can have.
   */
  public static void look(Path folder) throws IOException {
    try {
      int owner = Ownership.of(folder.toRealPath()).user();
      require(folder, Self.USER == ROOT ? owner : Self.USER);
    } catch (NoSuchFileException | AccessDeniedException nothingToRead) {
      // Then nothing is read there.
    }
  }

  private static void require(Path folder, int user) throws IOException {
    Path real = folder.toRealPath();
    requireParents(folder.toAbsolutePath().normalize(), user);
    requireParents(real, user);
    Ownership found = Ownership.of(real);
    requireOwner(found, user, "chown -R " + Self.NAME);
    requireUnwritten(found, "chmod -R go-w");
    boolean reached = reached(real);
    int left = MOST_FILES;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(real)) {
      for (Path file : files) {
        if (left-- == 0) {
          break;
        }
        requireFile(file, user, reached);
      }
    } catch (DirectoryIteratorException unreadable) {
      throw unreadable.getCause();
    }
  }

  private static void requireParents(Path folder, int user) throws IOException {
    for (Path above = folder.getParent(); above != null; above = above.getParent()) {
      Ownership found = Ownership.of(above);
      if (found.movedByOthers() && (found.user() != ROOT || found.writtenByAll())) {
        throw new NotOurs(
            above,
            "lets others rename what is in it (mode " + found.digits() + ")",
            "its owner alone to write there, or the sticky bit",
            "chmod go-w");
      }
      if (foreign(found, user) && found.user() != NOBODY) {
        throw new NotOurs(
            above,
            "belongs to %s (uid %d), who can put another folder in the place of %s; name one elsewhere"
                .formatted(found.who(), found.user(), folder));
      }
    }
  }

  /** Whether anybody else can come as far as this folder; if not, rights within do not matter. */
  private static boolean reached(Path folder) throws IOException {
    for (Path at = folder; at != null; at = at.getParent()) {
      if (!Ownership.of(at).enteredByOthers()) {
        return false;
      }
    }
    return true;
  }

  private static void requireFile(Path file, int user, boolean reached) throws IOException {
    try {
      Ownership found = Ownership.of(file);
      boolean secret = secret(file);
      String mend = secret ? "rm" : "chown -h " + Self.NAME;
      Ownership target = found.link() ? Ownership.of(file.toRealPath()) : found;
      requireOwner(found, user, mend);
      requireOwner(target, user, mend);
      // What a link leads to lies elsewhere, where others may come.
      if (Files.isRegularFile(file) && (reached || found.link())) {
        requireUnwritten(target, "chmod go-w");
        if (secret && target.readByOthers()) {
          throw new NotOurs(
              file, "can be read by others (mode " + target.digits() + ")", "0600", "chmod 600");
        }
      }
    } catch (NoSuchFileException gone) {
      // Removed meanwhile, or a link that leads nowhere.
    }
  }

  private static boolean secret(Path file) {
    return String.valueOf(file.getFileName()).matches(".*\\.(token|token\\.new|key)");
  }

  private static void requireUnwritten(Ownership found, String mend) throws NotOurs {
    if (found.writtenByOthers()) {
      throw new NotOurs(
          found.file(),
          "can be written by others (mode " + found.digits() + ")",
          "its owner alone to write there",
          mend);
    }
  }

  private static boolean foreign(Ownership found, int user) {
    return found.user() != user && found.user() != ROOT;
  }

  private static void requireOwner(Ownership found, int user, String mend) throws NotOurs {
    if (foreign(found, user)) {
      throw new NotOurs(
          found.file(),
          "belongs to %s (uid %d)".formatted(found.who(), found.user()),
          user == ROOT || Self.USER == ROOT ? "root" : Self.NAME + " or root",
          mend);
    }
  }
}
