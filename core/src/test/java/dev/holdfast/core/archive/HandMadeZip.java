package dev.holdfast.core.archive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Builds zips no honest tool would: every field of an entry can be a lie. */
final class HandMadeZip {
  /** One entry; {@code claimed} is the size the directory states, {@code mode} the Unix mode. */
  record Entry(String name, byte[] content, long claimed, int mode) {
    static Entry of(String name, String text) {
      byte[] content = text.getBytes(StandardCharsets.UTF_8);
      return new Entry(name, content, content.length, 0);
    }

    static Entry of(String name, byte[] content) {
      return new Entry(name, content, content.length, 0);
    }

    Entry claiming(long bytes) {
      return new Entry(name, content, bytes, mode);
    }

    Entry mode(int unix) {
      return new Entry(name, content, claimed, unix);
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private boolean overlapping;

  HandMadeZip add(Entry entry) {
    entries.add(entry);
    return this;
  }

  /** Adds members and, before them, a manifest that describes them truly. */
  static HandMadeZip described(Entry... members) {
    Manifest manifest =
        new Manifest(
            ArchiveReaderTest.KIND,
            ArchiveReaderTest.TIME,
            "test",
            java.util.Arrays.stream(members)
                .map(entry -> Member.of(entry.name(), entry.content()))
                .toList());
    HandMadeZip zip = new HandMadeZip().add(Entry.of(Manifest.NAME, manifest.toJson()));
    for (Entry member : members) {
      zip.add(member);
    }
    return zip;
  }

  /** Every directory line after the manifest's points at the same data. */
  HandMadeZip overlapping() {
    overlapping = true;
    return this;
  }

  byte[] bytes() {
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    ByteArrayOutputStream directory = new ByteArrayOutputStream();
    try {
      int shared = -1;
      for (Entry entry : entries) {
        byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
        byte[] packed = deflate(entry.content());
        int at = zip.size();
        if (overlapping && shared >= 0) {
          at = shared;
        } else {
          zip.write(local(name, packed, entry));
          zip.write(packed);
          shared = entry.name().equals(Manifest.NAME) ? -1 : at;
        }
        directory.write(central(name, packed, entry, at));
      }
      int start = zip.size();
      zip.write(directory.toByteArray());
      zip.write(
          little(22)
              .putInt(0x06054b50)
              .putInt(0)
              .putShort((short) entries.size())
              .putShort((short) entries.size())
              .putInt(directory.size())
              .putInt(start)
              .putShort((short) 0)
              .array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zip.toByteArray();
  }

  private static byte[] local(byte[] name, byte[] packed, Entry entry) {
    return little(30 + name.length)
        .putInt(0x04034b50)
        .putShort((short) 20)
        .putShort((short) 0)
        .putShort((short) 8)
        .putInt(0)
        .putInt(crc(entry.content()))
        .putInt(packed.length)
        .putInt((int) entry.claimed())
        .putShort((short) name.length)
        .putShort((short) 0)
        .put(name)
        .array();
  }

  private static byte[] central(byte[] name, byte[] packed, Entry entry, int at) {
    return little(46 + name.length)
        .putInt(0x02014b50)
        .putShort((short) (3 << 8 | 20))
        .putShort((short) 20)
        .putShort((short) 0)
        .putShort((short) 8)
        .putInt(0)
        .putInt(crc(entry.content()))
        .putInt(packed.length)
        .putInt((int) entry.claimed())
        .putShort((short) name.length)
        .putInt(0)
        .putShort((short) 0)
        .putShort((short) 0)
        .putInt(entry.mode() << 16)
        .putInt(at)
        .put(name)
        .array();
  }

  private static ByteBuffer little(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(byte[] content) {
    CRC32 crc = new CRC32();
    crc.update(content);
    return (int) crc.getValue();
  }

  private static byte[] deflate(byte[] content) {
    try (Deflater deflater = new Deflater(9, true)) {
      deflater.setInput(content);
      deflater.finish();
      byte[] buffer = new byte[content.length + 64];
      int length = deflater.deflate(buffer);
      return java.util.Arrays.copyOf(buffer, length);
    }
  }
}
