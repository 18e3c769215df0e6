/** Checks of the host's processors. */
@NullMarked
package dev.holdfast.doctor.processor;

import org.jspecify.annotations.NullMarked;
