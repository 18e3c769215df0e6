/** The load generator: a process of its own that plays thousands of clients of a store. */
@NullMarked
package dev.holdfast.bench.load;

import org.jspecify.annotations.NullMarked;
