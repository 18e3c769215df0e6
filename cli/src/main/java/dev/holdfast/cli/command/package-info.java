/** One class a command: options, wiring, exit code. */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
