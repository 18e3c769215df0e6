package dev.holdfast.core.archive;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks entries of one zip to exactly the size and checksum its directory states. */
final class Unpacking implements AutoCloseable {
  private final byte[] zip;
  private final Complaint complaint;
  private final ZipDirectory directory;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();

  Unpacking(byte[] zip, Complaint complaint, ZipDirectory directory) {
    this.zip = zip;
    this.complaint = complaint;
    this.directory = directory;
  }

  byte[] content(ZipEntryRecord entry) {
    int start = directory.content(entry);
    byte[] content =
        entry.stored()
            ? Arrays.copyOfRange(zip, start, start + (int) entry.packed())
            : inflated(entry, start);
    crc.reset();
    crc.update(content);
    if (content.length != entry.size() || crc.getValue() != entry.crc()) {
      throw damaged(entry, "does not have its checksum");
    }
    return content;
  }

  private byte[] inflated(ZipEntryRecord entry, int start) {
    byte[] content = new byte[(int) entry.size()];
    inflater.reset();
    inflater.setInput(zip, start, (int) entry.packed());
    try {
      int filled = 0;
      int step = -1;
      while (filled < content.length && step != 0) {
        step = inflater.inflate(content, filled, content.length - filled);
        filled += step;
      }
      boolean more = inflater.inflate(new byte[1]) > 0;
      if (filled != content.length || more || !inflater.finished()) {
        throw damaged(entry, "does not unpack to its " + entry.size() + " bytes");
      }
    } catch (DataFormatException e) {
      throw damaged(entry, "cannot be unpacked");
    }
    return content;
  }

  private HoldfastException damaged(ZipEntryRecord entry, String problem) {
    return complaint.because(
        ErrorCode.DAMAGED_ARCHIVE,
        "is damaged: the member " + MemberName.shown(entry.name()) + " " + problem);
  }

  @Override
  public void close() {
    inflater.close();
  }
}
