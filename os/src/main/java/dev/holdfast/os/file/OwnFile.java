package dev.holdfast.os.file;

import dev.holdfast.os.file.Ownership.Self;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Opens files that we write in folders where others may have been: logs, timelines, spools. A link
 * is not followed, whoever planted it; a pipe that never ends and a file of somebody else are
 * refused.
 */
public final class OwnFile {
  private static final int OWN_FOLDERS = 3;

  private OwnFile() {}

  /** To write at its end; made where it is missing. */
  public static FileChannel append(Path file, FileAttribute<?>... rights) throws IOException {
    return open(file, List.of(StandardOpenOption.APPEND), rights);
  }

  /** To write, and perhaps to read; made where it is missing. */
  public static FileChannel open(Path file, List<OpenOption> how, FileAttribute<?>... rights)
      throws IOException {
    requireFolders(file);
    Set<OpenOption> options = new HashSet<>(how);
    options.add(LinkOption.NOFOLLOW_LINKS);
    Set<OpenOption> fresh = new HashSet<>(options);
    fresh.remove(StandardOpenOption.CREATE);
    fresh.add(StandardOpenOption.CREATE_NEW);
    try {
      return FileChannel.open(file, fresh, rights);
    } catch (FileAlreadyExistsException there) {
      require(file);
      return FileChannel.open(file, options);
    }
  }

  /** The run, the attempt and the rank have a folder each, which may have been waiting for us. */
  private static void requireFolders(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    for (int i = 0; i < OWN_FOLDERS && folder != null; i++, folder = folder.getParent()) {
      if (Files.isSymbolicLink(folder)) {
        Ownership found = Ownership.of(folder);
        if (found.user() != Self.USER && found.user() != 0) {
          throw new NotOurs(
              folder,
              "is a link of %s (uid %d)".formatted(found.who(), found.user()),
              "a folder",
              "rm");
        }
      }
    }
  }

  private static void require(Path file) throws IOException {
    BasicFileAttributes kind =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Ownership found = Ownership.of(file);
    if (kind.isOther() && found.user() == 0) {
      return; // a device such as /dev/null, which root alone can have put there
    }
    if (!kind.isRegularFile()) {
      throw new NotOurs(
          file,
          kind.isSymbolicLink() ? "is a link" : "is no plain file",
          "a file of ours to write to",
          "rm");
    }
    if (found.user() != Self.USER) {
      throw new NotOurs(
          file,
          "belongs to %s (uid %d)".formatted(found.who(), found.user()),
          Self.NAME,
          "chown " + Self.NAME);
    }
  }
}
