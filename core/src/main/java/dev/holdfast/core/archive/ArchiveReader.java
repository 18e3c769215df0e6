package dev.holdfast.core.archive;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive that may be damaged, foreign or hostile: the result is exactly what was written,
 * or a {@link HoldfastException} that says which member and what was expected.
 *
 * <p>Everything the directory claims is judged before anything is unpacked: names, kinds of file,
 * sizes, counts, overlaps and the ratio. Then each member is unpacked to exactly its claimed size
 * and must have the checksum of the zip and the hash of the manifest. Archives within archives stay
 * what they are, bytes.
 */
public final class ArchiveReader {
  private final Complaint complaint;
  private final byte[] bytes;
  private final ArchiveLimits limits;

  private ArchiveReader(String label, byte[] bytes, ArchiveLimits limits) {
    this.complaint = new Complaint(label);
    this.bytes = bytes;
    this.limits = limits;
  }

  /**
   * Reads a whole archive.
   *
   * @param label what to call it in messages, such as the file name
   */
  public static Archive read(String label, byte[] bytes, ArchiveKind kind, ArchiveLimits limits) {
    return new ArchiveReader(label, bytes, limits).read(kind);
  }

  /** Reads a whole archive of at most the total size the limits allow. */
  public static Archive read(
      String label, InputStream stream, ArchiveKind kind, ArchiveLimits limits) throws IOException {
    int most = (int) Math.min(limits.totalBytes(), Integer.MAX_VALUE - 16);
    byte[] bytes = stream.readNBytes(most + 1);
    if (bytes.length > most) {
      throw new Complaint(label)
          .because(ErrorCode.HOSTILE_ARCHIVE, "is larger than " + most + " bytes");
    }
    return read(label, bytes, kind, limits);
  }

  private Archive read(ArchiveKind kind) {
    if (bytes.length == 0) {
      throw complaint.because(ErrorCode.NOT_AN_ARCHIVE, "is empty");
    }
    ZipDirectory directory = new ZipDirectory(bytes, complaint, limits.members());
    Map<String, ZipEntryRecord> entries = judged(directory);
    try (Unpacking unpacking = new Unpacking(bytes, complaint, directory)) {
      Manifest manifest = manifest(unpacking, entries, kind);
      return new Archive(manifest, members(unpacking, entries, manifest));
    }
  }

  private Map<String, ZipEntryRecord> judged(ZipDirectory directory) {
    List<ZipEntryRecord> list = directory.entries();
    if (list.stream().noneMatch(entry -> entry.name().equals(Manifest.NAME))) {
      throw complaint.because(
          ErrorCode.NOT_AN_ARCHIVE, "is a zip file without " + Manifest.NAME + ", not made by us");
    }
    Map<String, ZipEntryRecord> entries = new LinkedHashMap<>();
    long total = 0;
    for (ZipEntryRecord entry : list) {
      judge(entry);
      if (entries.put(entry.name(), entry) != null) {
        throw hostile(entry, "is there twice");
      }
      total += entry.size();
    }
    if (total > limits.totalBytes()) {
      throw hostile("its members claim " + total + " bytes, more than " + limits.totalBytes());
    }
    if (limits.tooDense(total, bytes.length)) {
      throw hostile("it unpacks to more than " + limits.ratio() + " times its size");
    }
    refuseOverlaps(list, directory);
    return entries;
  }

  private void judge(ZipEntryRecord entry) {
    String name = entry.name();
    Optional<String> problem =
        MemberName.problem(name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
    if (problem.isPresent()) {
      throw hostile(entry, "has a name that " + problem.get());
    }
    if (!entry.regular()) {
      throw hostile(entry, "is not a regular file (directory, link or device)");
    }
    if (entry.size() > limits.memberBytes()) {
      throw hostile(entry, "claims " + entry.size() + " bytes, more than " + limits.memberBytes());
    }
  }

  private void refuseOverlaps(List<ZipEntryRecord> list, ZipDirectory directory) {
    long free = 0;
    for (ZipEntryRecord entry :
        list.stream().sorted(Comparator.comparingLong(ZipEntryRecord::header)).toList()) {
      if (entry.header() < free) {
        throw hostile(entry, "overlaps another");
      }
      if (free == 0 && entry.header() > 0) {
        throw hostile("something stands before its first member");
      }
      free = directory.content(entry) + entry.packed();
    }
  }

  private Manifest manifest(
      Unpacking unpacking, Map<String, ZipEntryRecord> entries, ArchiveKind expected) {
    ZipEntryRecord entry = Objects.requireNonNull(entries.get(Manifest.NAME));
    byte[] text = unpacking.content(entry);
    try {
      Map<String, @Nullable Object> tree = Json.object(new String(text, StandardCharsets.UTF_8));
      Object schema = tree.get("schema");
      if (!Manifest.SCHEMA.equals(schema)) {
        boolean newer = String.valueOf(schema).startsWith("holdfast.archive/");
        throw complaint.because(
            newer ? ErrorCode.FOREIGN_ARCHIVE : ErrorCode.NOT_AN_ARCHIVE,
            "has the schema "
                + MemberName.shown(String.valueOf(schema))
                + ", expected "
                + Manifest.SCHEMA);
      }
      Manifest manifest = Manifest.of(tree);
      boolean known =
          manifest.kind().name().equals(expected.name())
              && manifest.kind().version() <= expected.version();
      if (!known) {
        throw complaint.because(
            ErrorCode.FOREIGN_ARCHIVE,
            "is of kind "
                + manifest.kind()
                + " (made by "
                + MemberName.shown(manifest.tool())
                + "), expected "
                + expected
                + (expected.version() > 1 ? " or older" : ""));
      }
      return manifest;
    } catch (IllegalArgumentException e) {
      throw complaint.because(
          ErrorCode.DAMAGED_ARCHIVE, "has a wrong " + Manifest.NAME + ": " + e.getMessage());
    }
  }

  private SequencedMap<String, byte[]> members(
      Unpacking unpacking, Map<String, ZipEntryRecord> entries, Manifest manifest) {
    SequencedMap<String, byte[]> members = new LinkedHashMap<>();
    for (Member member : manifest.members()) {
      ZipEntryRecord entry = entries.get(member.name());
      if (entry == null || member.name().equals(Manifest.NAME)) {
        throw damaged(member, "of the manifest is missing");
      }
      if (entry.size() != member.bytes()) {
        throw damaged(member, "has " + entry.size() + " bytes, expected " + member.bytes());
      }
      byte[] content = unpacking.content(entry);
      if (!Member.hash(content).equals(member.sha256())) {
        throw damaged(member, "was changed: its SHA-256 was expected to be " + member.sha256());
      }
      if (members.put(member.name(), content) != null) {
        throw damaged(member, "is in the manifest twice");
      }
    }
    for (String name : entries.keySet()) {
      if (!members.containsKey(name) && !name.equals(Manifest.NAME)) {
        throw damaged("the member " + MemberName.shown(name) + " is not in the manifest");
      }
    }
    return members;
  }

  private HoldfastException hostile(ZipEntryRecord entry, String problem) {
    return hostile("the member " + MemberName.shown(entry.name()) + " " + problem);
  }

  private HoldfastException hostile(String problem) {
    return complaint.because(ErrorCode.HOSTILE_ARCHIVE, "is refused: " + problem);
  }

  private HoldfastException damaged(Member member, String problem) {
    return damaged("the member " + MemberName.shown(member.name()) + " " + problem);
  }

  private HoldfastException damaged(String problem) {
    return complaint.because(ErrorCode.DAMAGED_ARCHIVE, "is damaged: " + problem);
  }
}
