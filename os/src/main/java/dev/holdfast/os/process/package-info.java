/** Programs of the machine, run with a deadline and a bound on what they may say. */
@NullMarked
package dev.holdfast.os.process;

import org.jspecify.annotations.NullMarked;
