/** What a check is, what it may see and how it answers. */
@NullMarked
package dev.holdfast.doctor.check;

import org.jspecify.annotations.NullMarked;
