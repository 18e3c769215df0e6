/** Stacks of processes that run, taken in one window and without harm to them. */
@NullMarked
package dev.holdfast.launch.stacks;

import org.jspecify.annotations.NullMarked;
