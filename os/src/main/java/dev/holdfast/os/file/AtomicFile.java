package dev.holdfast.os.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes a file so that a reader, or a machine that loses power, sees the old content or the new
 * one and never a part of it: a new file beside the old one, flushed to the disk, then renamed.
 */
public final class AtomicFile {
  private static final FileAttribute<?>[] SECRET = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  private AtomicFile() {}

  /**
   * Replaces the content of a file, or makes it. A file that was there keeps its permissions, so
   * that what only its owner could read stays so. A symbolic link stays and its target is replaced;
   * a device or directory is refused, since the rename would replace the node itself.
   */
  public static void write(Path file, byte[] content) throws IOException {
    write(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), content, false);
  }

  /** The same in a folder where others may have been: a link is replaced and not followed. */
  public static void replace(Path file, byte[] content) throws IOException {
    if (Files.isSymbolicLink(file)) {
      Files.delete(file);
    }
    write(file.toAbsolutePath(), content, false);
  }

  /** The same for a secret: at no moment can anybody but its owner read it. */
  public static void writeSecret(Path file, byte[] content) throws IOException {
    write(Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(), content, true);
  }

  private static void write(Path target, byte[] content, boolean secret) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      throw new IOException(target + ": is not a regular file, not replaced");
    }
    Path folder = target.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException(target + ": its folder does not exist");
    }
    String mark = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Path part = folder.resolve("." + target.getFileName() + "." + mark + ".part");
    boolean done = false;
    try {
      writeThrough(part, content, secret ? SECRET : new FileAttribute<?>[0]);
      if (!secret && Files.exists(target)) {
        Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      done = true;
    } finally {
      if (!done) {
        Files.deleteIfExists(part);
      }
    }
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static void writeThrough(Path part, byte[] content, FileAttribute<?>[] attributes)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }
}
