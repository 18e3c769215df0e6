package dev.holdfast.os.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The NVIDIA management library: any of its functions by name, and one piece of memory to which
 * they write their results.
 *
 * <p>All NVML functions return an int and take up to six arguments that are integers or pointers.
 * On 64-bit Linux (x86-64 and arm64) these travel in the same registers whatever their width, and a
 * function does not look at registers beyond its own parameters. So one downcall handle with six
 * longs serves them all. A handle per function, or per parameter list, would be linked at 4 ms
 * each, and this process should be done by then.
 *
 * <p>The memory is far larger than any result, so that a library of another version, or a broken
 * one, that writes more than it should, harms nothing here.
 */
final class NvmlLibrary {
  /** Beside the codes of the library: it has no such function. */
  static final int FUNCTION_MISSING = -1;

  private static final long SCRATCH_BYTES = 1 << 17;

  /** {@code nvmlReturn_t function(…)} */
  private record Calls(MethodHandle any) {}

  private final Answer answer;
  private final SymbolLookup symbols;
  private final Calls calls;
  private final Map<String, MemorySegment> known = new HashMap<>();
  private final MemorySegment scratch = Arena.global().allocate(SCRATCH_BYTES, 16);

  /**
   * Opens the library.
   *
   * @throws IllegalArgumentException when it is not there or cannot be loaded
   */
  NvmlLibrary(String name, Answer answer) {
    this.answer = answer;
    this.symbols = SymbolLookup.libraryLookup(name, Arena.global());
    this.calls =
        new Calls(
            Linker.nativeLinker()
                .downcallHandle(
                    FunctionDescriptor.of(
                        JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                        JAVA_LONG)));
  }

  boolean has(String function) {
    return !address(function).equals(MemorySegment.NULL);
  }

  /** Announces the call, makes it, and returns the library's code. */
  int call(String function, long a, long b, long c, long d, long e, long f) throws IOException {
    MemorySegment address = address(function);
    if (address.equals(MemorySegment.NULL)) {
      return FUNCTION_MISSING;
    }
    answer.calling(function);
    try {
      return (int) calls.any.invokeExact(address, a, b, c, d, e, f);
    } catch (Throwable problem) {
      throw new IllegalStateException(function, problem);
    }
  }

  /** The address of a place in the scratch memory, cleared for a result of so many bytes. */
  long place(long offset, long bytes) {
    scratch.asSlice(offset, bytes).fill((byte) 0);
    return scratch.address() + offset;
  }

  void putInt(long offset, int value) {
    scratch.set(JAVA_INT, offset, value);
  }

  int getInt(long offset) {
    return scratch.get(JAVA_INT, offset);
  }

  long getUnsigned(long offset) {
    return getInt(offset) & 0xffff_ffffL;
  }

  long getLong(long offset) {
    return scratch.get(JAVA_LONG, offset);
  }

  int getByte(long offset) {
    return scratch.get(JAVA_BYTE, offset) & 0xff;
  }

  /** The text at a place: up to the first NUL, or all of it when there is none. */
  String getText(long offset, int size) {
    StringBuilder text = new StringBuilder();
    for (int index = 0; index < size; index++) {
      int letter = getByte(offset + index);
      if (letter == 0) {
        break;
      }
      text.append((char) letter);
    }
    return text.toString();
  }

  /** A pointer the library wrote, as the number it is. */
  long getPointer(long offset) {
    return scratch.get(ADDRESS, offset).address();
  }

  private MemorySegment address(String function) {
    MemorySegment address = known.get(function);
    if (address == null) {
      Optional<MemorySegment> found = symbols.find(function);
      address = found.isPresent() ? found.get() : MemorySegment.NULL;
      known.put(function, address);
    }
    return address;
  }
}
