/** Checks whether what works together is close together: GPUs, adapters, CPUs and memory. */
@NullMarked
package dev.holdfast.doctor.affinity;

import org.jspecify.annotations.NullMarked;
