/** Examines one node: the ordered list of checks and the run over them. */
@NullMarked
package dev.holdfast.doctor;

import org.jspecify.annotations.NullMarked;
