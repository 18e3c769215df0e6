package dev.holdfast.launch.run;

import dev.holdfast.launch.job.Here;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.rendezvous.Arbiter;
import dev.holdfast.launch.rendezvous.Judge;
import dev.holdfast.launch.rendezvous.Memory;
import dev.holdfast.launch.rendezvous.NodeDuties;
import dev.holdfast.launch.rendezvous.Rendezvous;
import dev.holdfast.launch.rendezvous.Setup;
import dev.holdfast.launch.rendezvous.StoreKeeper;
import dev.holdfast.launch.rendezvous.Timings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How the launcher of a job meets the others, from what it was asked to do. */
final class Meeting {
  /** After a verdict the ranks get a second to end by themselves. */
  private static final Duration AFTER_VERDICT = Duration.ofSeconds(1);

  /** Ranks that fail with the first do so within moments; those that do not, in minutes. */
  private static final Duration TOGETHER = Duration.ofMillis(200);

  private static final Duration EVIDENCE = Duration.ofSeconds(3);

  private Meeting() {}

  /**
   * @param arbiter who says which launcher leads; null: a majority does
   * @param keep has this held for the next process of this launcher
   * @param memory what an earlier process of this launcher had kept, if there was one
   */
  static Rendezvous join(
      JobSpec spec,
      @Nullable Arbiter arbiter,
      NodeDuties duties,
      Judge judge,
      StoreKeeper store,
      Consumer<Memory> keep,
      Optional<Memory> memory) {
    Setup setup = setup(spec, System.getenv());
    return memory.isPresent()
        ? Rendezvous.resume(setup, duties, judge, store, arbiter, keep, memory.get())
        : Rendezvous.start(setup, duties, judge, store, arbiter, keep);
  }

  static Setup setup(JobSpec spec, Map<String, String> environment) {
    Team team = spec.team();
    Here here = spec.here();
    Timings timings =
        Timings.USUAL
            .withGrace(AFTER_VERDICT, spec.ending().grace())
            .withEvidence(TOGETHER, EVIDENCE);
    Member self =
        new Member(
            here.node(),
            System.currentTimeMillis(),
            OwnAddress.of(spec),
            0,
            here.processes(),
            here.order());
    if (team.maxNodes() == 1 && team.spares() == 0) {
      return Setup.alone(spec.job(), self, timings);
    }
    return new Setup(
        spec.job(),
        self,
        team.minNodes(),
        team.maxNodes(),
        team.spares(),
        team.host(),
        team.port(),
        team.hosted(),
        environment.getOrDefault("HOLDFAST_TOKEN", ""),
        Set.copyOf(team.excluded()),
        timings);
  }
}
