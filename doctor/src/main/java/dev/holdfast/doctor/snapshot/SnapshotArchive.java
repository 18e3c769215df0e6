package dev.holdfast.doctor.snapshot;

import dev.holdfast.core.archive.Archive;
import dev.holdfast.core.archive.ArchiveKind;
import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.ArchiveReader;
import dev.holdfast.core.archive.ArchiveWriter;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.doctor.node.FilesTable;
import dev.holdfast.doctor.node.RecordedFolder;
import dev.holdfast.doctor.node.RecordedNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A recorded node as one file: the archive form with the members of {@link RecordedNode}. */
public final class SnapshotArchive {
  public static final ArchiveKind KIND = new ArchiveKind("snapshot", 1);

  /** A node is read whole into a heap of 256 MiB, so it may hold less than an archive may. */
  static final ArchiveLimits LIMITS = ArchiveLimits.DEFAULT.total(64L << 20);

  private static final int MAX_TABLE = 4 << 20;

  private SnapshotArchive() {}

  /** The archive of these members. */
  public static byte[] write(Map<String, String> members, Instant createdAt, String tool) {
    Map<String, byte[]> content = new TreeMap<>();
    StringBuilder unnamed = new StringBuilder(members.getOrDefault("missing", ""));
    StringBuilder rows = new StringBuilder();
    members.forEach(
        (name, text) -> {
          Optional<String> stored = MemberNames.stored(name);
          if (FilesTable.fits(name, text) && rows.length() < MAX_TABLE) {
            rows.append(FilesTable.row(name, text));
          } else if (stored.isPresent()) {
            content.put(stored.get(), fitting(text).getBytes(StandardCharsets.UTF_8));
          } else {
            String path = name.startsWith("root/") ? name.substring("root".length()) : name;
            unnamed
                .append(path.replaceAll("[\\t\\n]", " "))
                .append("\tbroken\tnot recorded: a file of this name cannot be in a snapshot\n");
          }
        });
    if (!rows.isEmpty()) {
      content.put(FilesTable.NAME, rows.toString().getBytes(StandardCharsets.UTF_8));
    }
    content.put("missing", unnamed.toString().getBytes(StandardCharsets.UTF_8));
    try {
      return ArchiveWriter.write(KIND, createdAt, tool, content, LIMITS);
    } catch (IllegalArgumentException e) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, "the node does not fit into a snapshot: " + e.getMessage(), e);
    }
  }

  /** A log longer than a member may be: its end, from the start of a line. */
  private static String fitting(String text) {
    int most = LIMITS.memberBytes() / 4;
    if (text.length() <= most
        || text.getBytes(StandardCharsets.UTF_8).length <= LIMITS.memberBytes()) {
      return text;
    }
    String end = text.substring(text.length() - most);
    return end.substring(end.indexOf('\n') + 1);
  }

  /** The node in a snapshot file, or in a folder laid out like one. */
  public static RecordedNode open(Path place) {
    return Files.isDirectory(place) ? RecordedFolder.open(place) : read(place);
  }

  private static RecordedNode read(Path file) {
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new IOException("not a regular file");
      }
      try (InputStream stream = new BufferedInputStream(Files.newInputStream(file))) {
        return read(file.toString(), stream);
      }
    } catch (NoSuchFileException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, file + ": no such file", e);
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The node in a stream.
   *
   * @param name what errors call it
   */
  public static RecordedNode read(String name, InputStream stream) throws IOException {
    Archive archive = ArchiveReader.read(name, stream, KIND, LIMITS);
    Map<String, String> members = new TreeMap<>();
    archive
        .members()
        .forEach(
            (member, content) ->
                members.put(
                    MemberNames.original(member), new String(content, StandardCharsets.UTF_8)));
    FilesTable.expand(name, members);
    if (!members.containsKey("about")) {
      throw new HoldfastException(
          ErrorCode.DAMAGED_ARCHIVE, name + " is damaged: it has no member 'about'");
    }
    return new RecordedNode(members);
  }
}
