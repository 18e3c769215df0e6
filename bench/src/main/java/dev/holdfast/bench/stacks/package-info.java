/** How fast stacks of many ranks are merged. */
@NullMarked
package dev.holdfast.bench.stacks;

import org.jspecify.annotations.NullMarked;
