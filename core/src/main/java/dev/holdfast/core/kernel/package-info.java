/** The kernel log of a training node: which lines matter, what they mean, what to do. */
@NullMarked
package dev.holdfast.core.kernel;

import org.jspecify.annotations.NullMarked;
