package dev.holdfast.core.archive;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the directory at the end of a zip.
 *
 * <p>The zip readers of the JDK either want a file or look only at the headers before each entry.
 * The two lists need not agree, which is how archives are built that one tool shows and another
 * unpacks. So this one reads the directory, from bytes, and accepts no more than {@link
 * ArchiveWriter} and common zip tools write: one disk, no encryption, no 64-bit extension, nothing
 * before the first entry and nothing after the end.
 */
final class ZipDirectory {
  private static final int END = 0x06054b50;
  private static final int CENTRAL = 0x02014b50;
  private static final int LOCAL = 0x04034b50;
  private static final int END_SIZE = 22;
  private static final int CENTRAL_SIZE = 46;
  private static final int MADE_ON_UNIX = 3;
  private static final int ENCRYPTED = 1;
  private static final int DEFLATED = 8;

  private final ByteBuffer zip;
  private final Complaint complaint;
  private final int most;

  ZipDirectory(byte[] bytes, Complaint complaint, int most) {
    this.zip = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.complaint = complaint;
    this.most = most;
  }

  /** Every entry, in the order of the directory. */
  List<ZipEntryRecord> entries() {
    int end = end();
    int count = zip.getShort(end + 10) & 0xFFFF;
    long size = zip.getInt(end + 12) & 0xFFFFFFFFL;
    long start = zip.getInt(end + 16) & 0xFFFFFFFFL;
    if (count > most) {
      throw complaint.because(
          ErrorCode.HOSTILE_ARCHIVE, "has " + count + " members, more than " + most);
    }
    if (zip.getInt(end + 4) != 0 || (zip.getShort(end + 8) & 0xFFFF) != count) {
      throw damaged("its end record is wrong: one disk was expected");
    }
    if (start + size != end) {
      throw damaged("its directory was expected to end at byte " + end);
    }
    List<ZipEntryRecord> entries = new ArrayList<>();
    int at = (int) start;
    for (int i = 0; i < count; i++) {
      entries.add(entry(at, end, i));
      at += CENTRAL_SIZE + variable(at);
    }
    if (at != end) {
      throw damaged("its directory holds more than its " + count + " entries");
    }
    return entries;
  }

  private int end() {
    int last = zip.limit() - END_SIZE;
    for (int at = last; at >= Math.max(0, last - 0xFFFF); at--) {
      if (zip.getInt(at) == END
          && at + END_SIZE + (zip.getShort(at + 20) & 0xFFFF) == zip.limit()) {
        return at;
      }
    }
    boolean begun = zip.limit() >= 4 && zip.getInt(0) == LOCAL;
    throw begun
        ? damaged("it has " + zip.limit() + " bytes and no directory at its end: truncated")
        : complaint.because(ErrorCode.NOT_AN_ARCHIVE, "is not a zip file");
  }

  /** The length of name, extra field and comment of the directory line at this place. */
  private int variable(int at) {
    return (zip.getShort(at + 28) & 0xFFFF)
        + (zip.getShort(at + 30) & 0xFFFF)
        + (zip.getShort(at + 32) & 0xFFFF);
  }

  private ZipEntryRecord entry(int at, int end, int index) {
    if (at + CENTRAL_SIZE > end
        || zip.getInt(at) != CENTRAL
        || at + CENTRAL_SIZE + variable(at) > end) {
      throw damaged("line " + (index + 1) + " of its directory cannot be read");
    }
    String name = name(at + CENTRAL_SIZE, zip.getShort(at + 28) & 0xFFFF);
    int method = zip.getShort(at + 10) & 0xFFFF;
    if ((zip.getShort(at + 8) & ENCRYPTED) != 0 || (method != 0 && method != DEFLATED)) {
      throw damaged(
          "the member " + MemberName.shown(name) + " is encrypted or packed by method " + method);
    }
    boolean unix = (zip.get(at + 5) & 0xFF) == MADE_ON_UNIX;
    return new ZipEntryRecord(
        name,
        method == 0,
        zip.getInt(at + 16) & 0xFFFFFFFFL,
        zip.getInt(at + 20) & 0xFFFFFFFFL,
        zip.getInt(at + 24) & 0xFFFFFFFFL,
        unix ? zip.getInt(at + 38) >>> 16 : 0,
        zip.getInt(at + 42) & 0xFFFFFFFFL);
  }

  private String name(int from, int length) {
    String name = new String(zip.array(), from, length, StandardCharsets.UTF_8);
    if (name.indexOf('\ufffd') >= 0) {
      throw damaged("a member name at byte " + from + " is not UTF-8");
    }
    return name;
  }

  /** Where the content of the entry begins, after a header that names the same member. */
  int content(ZipEntryRecord entry) {
    long at = entry.header();
    if (at + 30 > zip.limit() || zip.getInt((int) at) != LOCAL) {
      throw damaged("the member " + MemberName.shown(entry.name()) + " was expected at byte " + at);
    }
    int header = (int) at;
    int length = zip.getShort(header + 26) & 0xFFFF;
    long start = at + 30 + length + (zip.getShort(header + 28) & 0xFFFF);
    if (start + entry.packed() > zip.limit() || !named(entry, header + 30, length)) {
      throw damaged(
          "the header of the member "
              + MemberName.shown(entry.name())
              + " contradicts the directory");
    }
    return (int) start;
  }

  private boolean named(ZipEntryRecord entry, int from, int length) {
    byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(zip.array(), from, from + length, name, 0, name.length);
  }

  private HoldfastException damaged(String problem) {
    return complaint.because(ErrorCode.DAMAGED_ARCHIVE, "is damaged: " + problem);
  }
}
