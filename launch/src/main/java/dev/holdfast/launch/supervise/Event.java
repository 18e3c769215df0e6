package dev.holdfast.launch.supervise;

import java.util.List;
import java.util.Map;

/** What the supervisor tells the process beside it. */
public sealed interface Event {

  /**
   * The first event to a process beside the supervisor, also when an earlier one crashed.
   *
   * @param earlier how many were started before this one
   * @param attempt whose ranks are there, −1: none
   * @param ranks what is known of each of them
   * @param services the companions that run
   * @param guarantee how sure it is that no process of a rank is left behind, in words
   * @param kept what an earlier one had kept, by name
   */
  record Ready(
      int earlier,
      int attempt,
      List<RankState> ranks,
      List<String> services,
      String guarantee,
      Map<String, List<String>> kept)
      implements Event {
    public Ready {
      ranks = List.copyOf(ranks);
      services = List.copyOf(services);
      kept = Map.copyOf(kept);
    }
  }

  /**
   * A rank as the supervisor knows it.
   *
   * @param exited whether its end was told, and what follows counts
   */
  record RankState(
      int rank,
      long pid,
      boolean exited,
      int exitCode,
      int signal,
      boolean stoppedByUs,
      long atMillis) {

    /** What was told of its end; only where it {@link #exited}. */
    public Exited exit(int attempt) {
      return new Exited(attempt, rank, exitCode, signal, stoppedByUs, atMillis);
    }
  }

  /**
   * @param warm whether it was a standby
   */
  record Started(int attempt, int rank, long pid, boolean warm) implements Event {}

  /** A standby can be used. */
  record StandbyReady(int localRank, long pid) implements Event {}

  /**
   * A standby is gone without having been used.
   *
   * @param module what it could not import as a standby must; empty: it was something else
   */
  record StandbyLost(int localRank, String module, String why) implements Event {}

  /** The rank could not be started; the others of the attempt were ended or not started. */
  record NotStarted(int attempt, int rank, String why) implements Event {}

  /**
   * @param exitCode −1 when a signal ended it
   * @param signal 0 when it exited
   * @param stoppedByUs whether an order to stop came before
   */
  record Exited(int attempt, int rank, int exitCode, int signal, boolean stoppedByUs, long atMillis)
      implements Event {}

  /** How many bytes the rank has written by now; sent at most once a second a rank. */
  record Output(int attempt, int rank, long bytes) implements Event {}

  /** Nobody of the attempt is left; {@code left} names processes that would not die. */
  record Stopped(int attempt, List<Long> left) implements Event {
    public Stopped {
      left = List.copyOf(left);
    }
  }

  /** Somebody asked us to end: 15 (TERM), 2 (INT), 1 (HUP), 3 (QUIT). */
  record Asked(int signal) implements Event {}

  /** The lease ran out and the ranks were killed. */
  record LeaseLost(int attempt) implements Event {}

  /** A line a companion wrote to its output. */
  record ServiceLine(String name, String line) implements Event {}

  record ServiceEnded(String name, int exitCode, int signal) implements Event {}

  /** Something the operator should know: logs cannot be written any more, and the like. */
  record Trouble(String what) implements Event {}
}
