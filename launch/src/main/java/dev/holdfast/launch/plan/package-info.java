/** From what was asked for to what each rank is started with. */
@NullMarked
package dev.holdfast.launch.plan;

import org.jspecify.annotations.NullMarked;
