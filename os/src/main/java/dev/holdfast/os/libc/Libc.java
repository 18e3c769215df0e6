package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * The downcalls into the C library. Each method is one call; a result below zero is the negated
 * errno, as the kernel itself returns it, so that no caller can read a stale one.
 *
 * <p>A function that this C library lacks is bound to a handle that throws one clear error.
 */
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LOOKUP = LINKER.defaultLookup();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final ValueLayout.OfInt ERRNO_LAYOUT =
      (ValueLayout.OfInt)
          Linker.Option.captureStateLayout().select(PathElement.groupElement("errno"));
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  /**
   * One handle per function of the library.
   *
   * @param geteuid {@code uid_t geteuid(void)}
   * @param klogctl {@code int klogctl(int type, char *buffer, int length)}
   * @param adjtimex {@code int adjtimex(struct timex *)}
   * @param statvfs {@code int statvfs(const char *path, struct statvfs *)}
   * @param pipe2 {@code int pipe2(int fds[2], int flags)}
   * @param close {@code int close(int fd)}
   */
  private record Calls(
      MethodHandle geteuid,
      MethodHandle klogctl,
      MethodHandle adjtimex,
      MethodHandle statvfs,
      MethodHandle pipe2,
      MethodHandle close) {}

  private static final Calls CALLS =
      new Calls(
          bind("geteuid", FunctionDescriptor.of(JAVA_INT)),
          bind("klogctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT)),
          bind("adjtimex", FunctionDescriptor.of(JAVA_INT, ADDRESS)),
          bind("statvfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS)),
          bind("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)),
          bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT)));

  private Libc() {}

  static int effectiveUser() {
    try (Arena arena = Arena.ofConfined()) {
      return (int) CALLS.geteuid.invokeExact(errno(arena));
    } catch (Throwable problem) {
      throw broken("geteuid", problem);
    }
  }

  static int kernelLog(int type, MemorySegment buffer, int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = errno(arena);
      return checked((int) CALLS.klogctl.invokeExact(errno, type, buffer, length), errno);
    } catch (Throwable problem) {
      throw broken("klogctl", problem);
    }
  }

  static int adjustTime(MemorySegment timex) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = errno(arena);
      return checked((int) CALLS.adjtimex.invokeExact(errno, timex), errno);
    } catch (Throwable problem) {
      throw broken("adjtimex", problem);
    }
  }

  static int fileSystem(MemorySegment path, MemorySegment statvfs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = errno(arena);
      return checked((int) CALLS.statvfs.invokeExact(errno, path, statvfs), errno);
    } catch (Throwable problem) {
      throw broken("statvfs", problem);
    }
  }

  static int pipe(MemorySegment descriptors, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = errno(arena);
      return checked((int) CALLS.pipe2.invokeExact(errno, descriptors, flags), errno);
    } catch (Throwable problem) {
      throw broken("pipe2", problem);
    }
  }

  static int close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = errno(arena);
      return checked((int) CALLS.close.invokeExact(errno, descriptor), errno);
    } catch (Throwable problem) {
      throw broken("close", problem);
    }
  }

  private static MethodHandle bind(String name, FunctionDescriptor function) {
    return LOOKUP
        .find(name)
        .map(address -> LINKER.downcallHandle(address, function, ERRNO))
        .orElseGet(() -> missing(name, LINKER.downcallHandle(function, ERRNO)));
  }

  private static MethodHandle missing(String name, MethodHandle shape) {
    LinkageError error = new LinkageError("the C library has no function " + name);
    MethodHandle thrower =
        MethodHandles.throwException(shape.type().returnType(), LinkageError.class).bindTo(error);
    return MethodHandles.dropArguments(
        thrower, 0, shape.type().dropParameterTypes(0, 1).parameterList());
  }

  private static MemorySegment errno(Arena arena) {
    return arena.allocate(Linker.Option.captureStateLayout());
  }

  private static int checked(int result, MemorySegment errno) {
    return result < 0 ? -errno.get(ERRNO_LAYOUT, ERRNO_OFFSET) : result;
  }

  private static RuntimeException broken(String call, Throwable problem) {
    if (problem instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("calling " + call, problem);
  }
}
