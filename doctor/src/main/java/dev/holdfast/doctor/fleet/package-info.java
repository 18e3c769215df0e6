/** Many nodes asked at once, one merged answer. */
@NullMarked
package dev.holdfast.doctor.fleet;

import org.jspecify.annotations.NullMarked;
