/** Checks of disks and mounted file systems. */
@NullMarked
package dev.holdfast.doctor.storage;

import org.jspecify.annotations.NullMarked;
