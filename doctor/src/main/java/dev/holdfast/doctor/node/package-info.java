/** The machine behind one door: live, from a snapshot, or from a fixture folder. */
@NullMarked
package dev.holdfast.doctor.node;

import org.jspecify.annotations.NullMarked;
