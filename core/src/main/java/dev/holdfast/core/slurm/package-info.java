/**
 * What Slurm says of itself, read from the text of its commands and from its JSON, of releases
 * 22.05 to 26.05: nodes, jobs and steps in one form, whatever was not understood counted beside
 * them.
 */
@NullMarked
package dev.holdfast.core.slurm;

import org.jspecify.annotations.NullMarked;
