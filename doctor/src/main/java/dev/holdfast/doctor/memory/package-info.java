/** Checks of host memory. */
@NullMarked
package dev.holdfast.doctor.memory;

import org.jspecify.annotations.NullMarked;
