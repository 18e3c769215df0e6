package dev.holdfast.bench.logs;

import java.util.Map;
import java.util.Set;

/**
 * The logs of a job with a known fault.
 *
 * @param files by name, as bytes
 * @param culprits the ranks that did it; empty: a node, or nobody
 * @param node where it happened; empty: nowhere
 * @param nodeOnly what is left tells the node but not the rank
 * @param decidable whether what is left tells who did it; said before anybody tries
 * @param note for people
 */
record LogCase(
    long seed,
    LogFault fault,
    Map<String, byte[]> files,
    Set<Integer> culprits,
    String node,
    boolean nodeOnly,
    boolean decidable,
    String note) {}
