/**
 * Holdfast where Slurm's users and operators expect it: hooks, jobs, what a dead slurmd leaves
 * behind.
 */
@NullMarked
package dev.holdfast.cli.slurm;

import org.jspecify.annotations.NullMarked;
