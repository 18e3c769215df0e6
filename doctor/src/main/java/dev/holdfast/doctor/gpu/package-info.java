/** Checks of accelerators. */
@NullMarked
package dev.holdfast.doctor.gpu;

import org.jspecify.annotations.NullMarked;
