/** Checks of the operating system: clock, limits, processes, services. */
@NullMarked
package dev.holdfast.doctor.system;

import org.jspecify.annotations.NullMarked;
