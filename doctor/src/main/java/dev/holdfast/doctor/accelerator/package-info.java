/** Accelerator-neutral facts of GPUs and NPUs. */
@NullMarked
package dev.holdfast.doctor.accelerator;

import org.jspecify.annotations.NullMarked;
