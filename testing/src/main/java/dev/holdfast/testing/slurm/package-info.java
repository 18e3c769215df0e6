/** A real Slurm on one machine, for tests to work on and to break. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.testing.slurm;
