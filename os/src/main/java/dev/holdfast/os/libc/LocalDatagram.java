package dev.holdfast.os.libc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** One message to a datagram socket of this machine, which Java itself cannot send. */
public final class LocalDatagram {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int PATH = 2;

  /** The length of {@code sun_path}, less the zero that ends it. */
  private static final int LONGEST = 107;

  private LocalDatagram() {}

  /**
   * Sends and never waits.
   *
   * @param name a file, or {@code @NAME} for one that is in no file system
   */
  public static void send(String name, String text) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < 2 || bytes.length > LONGEST || !name.startsWith("/") && !abstracted(name)) {
      throw new IOException("'" + name + "' names no socket of this machine");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(PATH + LONGEST + 1, 8);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, PATH, bytes.length);
      if (abstracted(name)) {
        address.set(ValueLayout.JAVA_BYTE, PATH, (byte) 0);
      }
      // The length of an abstract name tells where it ends, so no zero may follow it.
      send(arena, address, PATH + bytes.length + (abstracted(name) ? 0 : 1), text);
    }
  }

  private static boolean abstracted(String name) {
    return name.startsWith("@");
  }

  private static void send(Arena arena, MemorySegment address, int length, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment message = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    int socket = checked(Libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC));
    try {
      int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
      checked(Libc.sendTo(socket, message, bytes.length, flags, address, length));
    } finally {
      Libc.close(socket);
    }
  }

  private static int checked(int result) throws IOException {
    if (result < 0) {
      throw new IOException(Errno.name(-result));
    }
    return result;
  }
}
