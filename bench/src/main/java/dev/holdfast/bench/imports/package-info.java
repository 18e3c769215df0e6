/**
 * Results of other people's network benchmarks, read from what those print, with units put right.
 */
@NullMarked
package dev.holdfast.bench.imports;

import org.jspecify.annotations.NullMarked;
