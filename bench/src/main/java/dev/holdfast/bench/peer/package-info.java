/** The servers that are measured: ours, libtorch's, any torch in a Python. */
@NullMarked
package dev.holdfast.bench.peer;

import org.jspecify.annotations.NullMarked;
