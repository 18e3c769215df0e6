/** Counters over time: what they were, how much they grew, when they were reset. */
@NullMarked
package dev.holdfast.doctor.history;

import org.jspecify.annotations.NullMarked;
