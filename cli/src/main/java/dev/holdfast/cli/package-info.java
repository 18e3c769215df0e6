/** The program's entry and its map of commands. */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
