package dev.holdfast.agent.kernel;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code /dev/kmsg}: each read gives one record and waits for it, so a line is here as soon as it
 * is written. The buffer is a ring; when records were overwritten before they were read the kernel
 * says so once, by an error, and goes on with the oldest it has.
 */
public final class KernelDevice implements Feed {
  public static final Path DEVICE = Path.of("/dev/kmsg");

  /** A record is at most 8 KiB; a smaller buffer would be refused. */
  private static final int RECORD = 16 << 10;

  private final FileInputStream device;
  private final String boot;
  private final byte[] buffer = new byte[RECORD];
  private final long seen;
  private final long opened = System.nanoTime();
  private long sequence = -1;
  private long missed;
  private volatile boolean closed;

  private KernelDevice(FileInputStream device, String boot, long seen) {
    this.device = device;
    this.boot = boot;
    this.seen = seen;
  }

  /**
   * @param boot tells one run of the kernel from another
   * @param position where an earlier life ended, or empty
   */
  public static KernelDevice open(Path device, String boot, String position) throws IOException {
    String[] words = position.split(" ");
    boolean same = words.length == 3 && words[0].equals("kmsg") && words[1].equals(boot);
    long seen = same ? Long.parseLong(words[2]) : -1;
    return new KernelDevice(new FileInputStream(device.toFile()), boot, seen);
  }

  @Override
  public List<String> next() throws IOException {
    while (!closed) {
      int length;
      try {
        length = device.read(buffer);
      } catch (IOException problem) {
        if (!String.valueOf(problem.getMessage()).contains("Broken pipe")) {
          throw problem;
        }
        continue;
      }
      if (length <= 0) {
        return List.of();
      }
      String record = new String(buffer, 0, length, StandardCharsets.UTF_8);
      // Lines after the first tell more of the device, in the kernel's own words.
      int end = record.indexOf('\n');
      String line = end < 0 ? record : record.substring(0, end);
      long number = number(line);
      if (sequence >= 0 && number > sequence + 1) {
        missed += number - sequence - 1;
      }
      sequence = Math.max(sequence, number);
      if (number > seen) {
        return List.of(line);
      }
    }
    return List.of();
  }

  /** The second field of {@code 6,1234,5678901,-;text}. */
  private static long number(String line) {
    int first = line.indexOf(',');
    int second = line.indexOf(',', first + 1);
    try {
      return first < 0 || second < 0 ? -1 : Long.parseLong(line, first + 1, second, 10);
    } catch (NumberFormatException foreign) {
      return -1;
    }
  }

  @Override
  public String position() {
    return "kmsg " + boot + " " + Math.max(sequence, seen);
  }

  @Override
  public boolean caughtUp() {
    // The ring is read in far less; nothing tells its end but a read that waits.
    return System.nanoTime() - opened > 2_000_000_000L;
  }

  @Override
  public long missed() {
    return missed;
  }

  @Override
  public void close() {
    // The read that waits cannot be ended; its thread is a daemon and dies with the process.
    closed = true;
  }
}
