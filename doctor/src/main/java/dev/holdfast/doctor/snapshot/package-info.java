/** A node recorded in one file, to be examined elsewhere. */
@NullMarked
package dev.holdfast.doctor.snapshot;

import org.jspecify.annotations.NullMarked;
