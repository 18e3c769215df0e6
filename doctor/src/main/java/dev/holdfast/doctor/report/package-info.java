/** A run's results and the forms they are shown in. */
@NullMarked
package dev.holdfast.doctor.report;

import org.jspecify.annotations.NullMarked;
