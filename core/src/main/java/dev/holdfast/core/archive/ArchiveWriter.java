package dev.holdfast.core.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes an archive: a plain zip that any tool opens, the manifest first, then the members by name.
 *
 * <p>The same content gives the same bytes: order, times and compression are fixed. What the {@link
 * ArchiveReader} would refuse is refused here already.
 */
public final class ArchiveWriter {
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private ArchiveWriter() {}

  /**
   * The archive as bytes; {@link IllegalArgumentException} when a name or size breaks the limits.
   */
  public static byte[] write(
      ArchiveKind kind,
      Instant createdAt,
      String tool,
      Map<String, byte[]> content,
      ArchiveLimits limits) {
    SortedMap<String, byte[]> members = new TreeMap<>(content);
    Manifest manifest =
        new Manifest(
            kind,
            createdAt,
            tool,
            members.entrySet().stream()
                .map(member -> Member.of(member.getKey(), member.getValue()))
                .toList());
    byte[] header = manifest.toJson().getBytes(StandardCharsets.UTF_8);
    long total = header.length;
    for (byte[] member : members.values()) {
      total += member.length;
      require(member.length <= limits.memberBytes(), "a member is too large");
    }
    require(header.length <= limits.memberBytes(), "the manifest is too large");
    require(members.size() < limits.members(), "there are too many members");
    require(total <= limits.totalBytes(), "the content is too large");
    require(!members.containsKey(Manifest.NAME), "a member is called " + Manifest.NAME);
    byte[] archive = pack(header, members, Deflater.DEFAULT_COMPRESSION);
    // So repetitive that a reader would take it for a bomb: leave it as large as it is.
    return limits.tooDense(total, archive.length)
        ? pack(header, members, Deflater.NO_COMPRESSION)
        : archive;
  }

  private static void require(boolean fits, String problem) {
    if (!fits) {
      throw new IllegalArgumentException(problem);
    }
  }

  private static byte[] pack(byte[] header, SortedMap<String, byte[]> members, int level) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      zip.setLevel(level);
      add(zip, Manifest.NAME, header);
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        add(zip, member.getKey(), member.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return out.toByteArray();
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }
}
