package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.launch.job.JobSpec;

/** What could be seen of the ranks when they seemed to hang, kept in the run's folder. */
final class EvidenceFiles {
  private EvidenceFiles() {}

  static void collect(JobSpec spec, NodeRanks ranks, Diagnosis hang, RunLog log) {
    throw new UnsupportedOperationException("not yet");
  }
}
