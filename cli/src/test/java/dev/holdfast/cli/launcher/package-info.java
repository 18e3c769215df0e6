/** The shell script that starts the program, run for real in copies of the checkout. */
@NullMarked
package dev.holdfast.cli.launcher;

import org.jspecify.annotations.NullMarked;
