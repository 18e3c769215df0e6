/** How often an answer is right, on cases whose fault is known. */
@NullMarked
package dev.holdfast.bench.score;

import org.jspecify.annotations.NullMarked;
