package dev.holdfast.launch.supervise;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the process beside the supervisor tells it to do. */
public sealed interface Order {

  /** Start these ranks, all or none; no ranks of an earlier attempt may be left. */
  record Start(int attempt, List<RankSpec> ranks) implements Order {
    public Start {
      ranks = List.copyOf(ranks);
    }
  }

  /**
   * End all ranks of the attempt and all they started: TERM, and KILL for who is left after this
   * time. Answered by {@link Event.Stopped} once nobody is left.
   */
  record Stop(int attempt, Duration grace) implements Order {}

  /**
   * Have a standby ready for the local rank of this specification, started without these variables;
   * one that is there already stays. The next start uses it, or ends it when it is not ready.
   * Answered by {@link Event.StandbyReady} or {@link Event.StandbyLost}.
   *
   * @param spec its streams go to the rank's files when it becomes one
   */
  record Prepare(RankSpec spec, List<String> without) implements Order {
    public Prepare {
      without = List.copyOf(without);
    }
  }

  /** End all standbys. */
  record Dismiss() implements Order {}

  /** Send a signal to the main process of one rank. */
  record Signal(int rank, int signal) implements Order {}

  /**
   * The ranks may live until then, or until the next one says. Without a lease from the start on
   * they live until told otherwise.
   *
   * @param untilNanos by {@link System#nanoTime}, which the processes of a machine share: so no
   *     delay on the way makes it longer
   */
  record Lease(long untilNanos) implements Order {}

  /**
   * Hold this for the next process beside us, in place of what was held by that name. The
   * supervisor outlives it, and unlike a file can neither be full nor hang.
   *
   * @param parts text in parts, as {@link KeptText} makes them
   */
  record Keep(String name, List<String> parts) implements Order {
    public Keep {
      parts = List.copyOf(parts);
    }
  }

  /** Start a companion that outlives the process beside us, such as the store. */
  record StartService(String name, List<String> command, Map<String, String> environment)
      implements Order {
    public StartService {
      command = List.copyOf(command);
      environment = Map.copyOf(environment);
    }
  }

  /** End a companion. */
  record StopService(String name) implements Order {}

  /** All is done: end what is left and exit with this code. */
  record Finish(int exitCode) implements Order {}
}
