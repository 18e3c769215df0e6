/** Stacks of many ranks as one tree, as LLNL's STAT merges them. */
@NullMarked
package dev.holdfast.core.forensics.stacks;

import org.jspecify.annotations.NullMarked;
