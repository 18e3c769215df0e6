package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.util.List;

/** What can happen to a launcher's part in the rendezvous. */
sealed interface Input {

  record Tick() implements Input {}

  record Received(Member from, Message message) implements Input {}

  record Activity(List<RankActivity> ranks) implements Input {}

  record Exited(RankEvidence rank) implements Input {}

  record Stopped(int attempt) implements Input {}

  /** The judge wants all ranks of the job looked at closely. */
  record Collect() implements Input {}

  record EndJob(int exitCode, String why) implements Input {}

  /**
   * This launcher is to go.
   *
   * @param gone whether the ranks are gone already
   */
  record Leave(int exitCode, String why, boolean gone) implements Input {}

  /** A launcher at this address would not have this one. */
  record Refused(String address, String why) implements Input {}

  /**
   * The arbiter grants the job, or goes on to.
   *
   * @param askedAt by the clock of the inputs
   */
  record Claimed(long term, long askedAt) implements Input {}

  /**
   * The arbiter does not grant the job.
   *
   * @param term it was to be held on to, 0: it was claimed
   * @param holder who has it, as {@link Names#holder} says; empty: not known
   */
  record ClaimRefused(long term, String holder) implements Input {}

  record StoreOpened(int attempt, StoreKeeper.Place place) implements Input {}

  /**
   * The store of an attempt could not be opened.
   *
   * @param old because there was such an attempt before, of which this launcher knows nothing
   */
  record StoreFailed(int attempt, String why, boolean old) implements Input {}

  record StoreClosed(int attempt) implements Input {}
}
