package dev.holdfast.os.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A shared library whose functions return a code and take up to eight integers or pointers.
 *
 * <p>On 64-bit Linux these travel in the same registers and places of the stack whatever their
 * width, and a function does not look beyond its own parameters; so one handle serves them all.
 */
final class IntFunctions {
  private static final int MOST = 8;

  private record Calls(MethodHandle any) {}

  private static final Calls CALLS =
      new Calls(
          Linker.nativeLinker()
              .downcallHandle(
                  FunctionDescriptor.of(
                      JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                      JAVA_LONG, JAVA_LONG)));

  private final String name;
  private final SymbolLookup symbols;
  private final Map<String, MemorySegment> known = new HashMap<>();

  IntFunctions(String name) throws IOException {
    this.name = name;
    try {
      this.symbols = SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException missing) {
      throw new IOException(name + " cannot be loaded", missing);
    }
  }

  MemorySegment address(String function) throws IOException {
    MemorySegment address = known.get(function);
    if (address == null) {
      address =
          symbols.find(function).orElseThrow(() -> new IOException(name + " has no " + function));
      known.put(function, address);
    }
    return address;
  }

  int call(String function, long... arguments) throws IOException {
    long[] all = arguments.length == MOST ? arguments : Arrays.copyOf(arguments, MOST);
    try {
      return (int)
          CALLS.any.invokeExact(
              address(function), all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
    } catch (IOException missing) {
      throw missing;
    } catch (Throwable problem) {
      throw new IllegalStateException(function, problem);
    }
  }
}
