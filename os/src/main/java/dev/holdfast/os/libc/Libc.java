package dev.holdfast.os.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The downcalls into the C library. Each method is one call; a result below zero is the negated
 * errno, as the kernel itself returns it, so that no caller can read a stale one.
 *
 * <p>The functions used here return an int and take up to three arguments that are integers or
 * pointers. On 64-bit Linux (x86-64 and arm64) these travel in the same registers whatever their
 * width, and a function does not look at registers beyond its own parameters. So one handle serves
 * them all; each further one would add to the start of every command.
 */
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = LINKER.defaultLookup();
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(PathElement.groupElement("errno"));

  /** {@code int function(…)}, with errno kept */
  private record Calls(MethodHandle any) {}

  private static final Calls CALLS =
      new Calls(
          LINKER.downcallHandle(
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              Linker.Option.captureCallState("errno")));

  private Libc() {}

  /** {@code int klogctl(int type, char *buffer, int length)} */
  static int kernelLog(int type, MemorySegment buffer, int length) {
    return call("klogctl", type, buffer.address(), length);
  }

  /** {@code int adjtimex(struct timex *)} */
  static int adjustTime(MemorySegment timex) {
    return call("adjtimex", timex.address(), 0, 0);
  }

  /** {@code int statvfs(const char *path, struct statvfs *)} */
  static int fileSystem(MemorySegment path, MemorySegment statvfs) {
    return call("statvfs", path.address(), statvfs.address(), 0);
  }

  /** {@code int pipe2(int descriptors[2], int flags)} */
  static int pipe(MemorySegment descriptors, int flags) {
    return call("pipe2", descriptors.address(), flags, 0);
  }

  /** {@code int close(int descriptor)} */
  static int close(int descriptor) {
    return call("close", descriptor, 0, 0);
  }

  private static int call(String function, long first, long second, long third) {
    Optional<MemorySegment> address = SYMBOLS.find(function);
    if (address.isEmpty()) {
      throw new LinkageError("the C library has no function " + function);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int result = (int) CALLS.any.invokeExact(address.get(), state, first, second, third);
      return result < 0 ? -state.get(JAVA_INT, ERRNO_OFFSET) : result;
    } catch (RuntimeException | Error problem) {
      throw problem;
    } catch (Throwable problem) {
      throw new IllegalStateException("calling " + function, problem);
    }
  }
}
