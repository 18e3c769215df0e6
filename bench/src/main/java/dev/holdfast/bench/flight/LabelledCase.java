package dev.holdfast.bench.flight;

import java.util.Map;
import java.util.Set;

/**
 * A job with a known fault.
 *
 * @param dumps by rank, as bytes of a file
 * @param culprits the ranks that did it
 * @param decidable whether what is in the dumps tells them; said by what was planted and what is
 *     left of it, before anybody tries
 * @param quiet how long nothing had happened when the dumps were written, nanoseconds
 * @param note for people
 */
record LabelledCase(
    long seed,
    Layout layout,
    Fault fault,
    Map<Integer, byte[]> dumps,
    Set<Integer> culprits,
    boolean decidable,
    long quiet,
    String note) {}
