package dev.holdfast.control.slurm;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.core.slurm.SlurmStep;

/** A way to read what Slurm knows; an answer that makes no sense is {@link SlurmAway}, too. */
interface SlurmReader {
  Parsed<SlurmNode> nodes() throws SlurmAway;

  /** Those that wait, run, or ended lately. */
  Parsed<SlurmJob> jobs() throws SlurmAway;

  Parsed<SlurmStep> steps() throws SlurmAway;
}
