package dev.holdfast.core.forensics.debug;

/**
 * One error as a debugger reported it; the same at the same place counted together.
 *
 * @param what in the tool's words: {@code Invalid __global__ write of size 4 bytes}
 * @param kernel the kernel or function it happened in; empty: not told
 * @param place {@code file:line}; empty: the program has no line information
 * @param detail what else was said of the first one: thread, address, the other access
 * @param launched where the host started it, the innermost frame of the program's own; empty: not
 *     told
 * @param count how often
 */
public record DebugError(
    String what, String kernel, String place, String detail, String launched, long count) {

  DebugError at(String otherKernel, String otherPlace) {
    return new DebugError(what, otherKernel, otherPlace, detail, launched, count);
  }

  DebugError times(long more) {
    return new DebugError(what, kernel, place, detail, launched, count + more);
  }
}
