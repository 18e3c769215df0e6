package dev.holdfast.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a service manager has: a datagram socket of this machine that services tell how they are.
 */
public final class NotifySocket implements AutoCloseable {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SOCKET =
      handle("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle BIND = handle("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle RECEIVE =
      handle("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle CLOSE = handle("close", JAVA_INT, JAVA_INT);
  private static final int UNIX = 1;
  private static final int DATAGRAM = 2;
  private static final int NOW = 0x40;
  private static final int LARGEST = 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Arena arena = Arena.ofShared();
  private final String name;
  private final int descriptor;
  private final List<String> heard = new ArrayList<>();

  /**
   * @param name a file, or {@code @NAME} for one that is in no file system
   */
  public NotifySocket(String name) throws IOException {
    this.name = name;
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    MemorySegment address = arena.allocate(110, 8);
    address.set(JAVA_SHORT, 0, (short) UNIX);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 2, bytes.length);
    if (name.startsWith("@")) {
      address.set(JAVA_BYTE, 2, (byte) 0);
    }
    try {
      this.descriptor = (int) SOCKET.invokeExact(UNIX, DATAGRAM, 0);
      if ((int) BIND.invokeExact(descriptor, address, 2 + bytes.length) != 0) {
        throw new IOException("cannot be bound: " + name);
      }
    } catch (IOException refused) {
      throw refused;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  /** All that was heard so far, once this was among it, or when patience ends. */
  public List<String> heard(String message) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    listen();
    while (!heard.contains(message) && System.nanoTime() < end) {
      Thread.sleep(20);
      listen();
    }
    return List.copyOf(heard);
  }

  /** What comes from now on is all that was heard. */
  public void forget() {
    listen();
    heard.clear();
  }

  private void listen() {
    MemorySegment buffer = arena.allocate(LARGEST);
    try {
      for (long length = 1; length > 0; ) {
        length = (long) RECEIVE.invokeExact(descriptor, buffer, (long) LARGEST, NOW);
        if (length > 0) {
          byte[] bytes = buffer.asSlice(0, length).toArray(JAVA_BYTE);
          heard.add(new String(bytes, StandardCharsets.UTF_8));
        }
      }
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      int _ = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
    arena.close();
    if (!name.startsWith("@")) {
      Files.deleteIfExists(Path.of(name));
    }
  }
}
