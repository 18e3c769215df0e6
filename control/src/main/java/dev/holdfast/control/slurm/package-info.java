/**
 * The control plane beside Slurm: what Slurm says becomes reports like any other source's, and what
 * is decided is asked of it as of an agent, each request once, durable before it is begun.
 */
@NullMarked
package dev.holdfast.control.slurm;

import org.jspecify.annotations.NullMarked;
