package dev.holdfast.launch.rendezvous;

import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.RankActivity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What launchers say to each other. All of it can be said twice, late or never: a renewal carries
 * the member's whole state and an answer the leader's whole will, so that whatever was lost is made
 * up for by the next one.
 */
sealed interface Message {

  long term();

  /**
   * Member to leader, once a second and at once when something changes; the first one joins.
   *
   * @param sentAt by the member's clock; the answer gives it back and the lease counts from it
   * @param stamp of the last word from this leader, −1: none yet
   * @param held the newest record it holds
   * @param attempt the last attempt it started, −1: none
   * @param live whether ranks of that attempt may still be there
   * @param clear up to this attempt no rank is there nor ever will be
   * @param done whether all its ranks of the attempt ended well
   * @param evidenceFrom how many failures were told of before
   * @param evidence failures of the attempt since then
   * @param activity how its ranks are, null: nothing new
   * @param ask what somebody asked this launcher to end the job with, null: nobody did
   */
  record Renew(
      long term,
      long sentAt,
      long stamp,
      Version held,
      int attempt,
      boolean live,
      int clear,
      boolean done,
      int evidenceFrom,
      List<RankEvidence> evidence,
      @Nullable List<RankActivity> activity,
      JobRecord.@Nullable Ending ask)
      implements Message {}

  /**
   * Leader to member.
   *
   * @param to the incarnation it is meant for, −1: whoever is there
   * @param sentAt of the renewal this answers, −1: it answers none
   * @param stamp by the leader's clock
   * @param lease whether the member's ranks may live on
   * @param floor all attempts up to this one are over; their ranks must end
   * @param graceMillis for ranks that must end
   * @param why they must end
   * @param hang whether they must end because some hang: then they are looked at first
   * @param run the attempt to run, −1: none
   * @param record the leader's newest, which says how to run
   * @param step the furthest of that attempt, −1: not known
   * @param evidenceSeen how many failures of the attempt the leader knows from this member
   * @param ending the job is over
   */
  record Tell(
      long term,
      long to,
      long sentAt,
      long stamp,
      boolean lease,
      int floor,
      long graceMillis,
      String why,
      boolean hang,
      int run,
      Version record,
      long step,
      int evidenceSeen,
      JobRecord.@Nullable Ending ending)
      implements Message {

    /** The same as the answer to a renewal. */
    Tell withAnswer(long incarnation, long renewalSentAt, boolean granted, int seen) {
      return new Tell(
          term,
          incarnation,
          renewalSentAt,
          stamp,
          granted,
          floor,
          graceMillis,
          why,
          hang,
          run,
          record,
          step,
          seen,
          ending);
    }
  }

  /** Leader to all: hold this record; answered by a renewal. */
  record Prepare(long term, long stamp, JobRecord record) implements Message {}

  /**
   * Candidate to voters.
   *
   * @param term it wants to lead
   * @param trial asks only whether it would be elected, and binds nobody
   * @param held the candidate's newest record
   */
  record Canvass(long term, boolean trial, Version held) implements Message {}

  /**
   * Voter to candidate.
   *
   * @param term the candidate asked for
   * @param voterTerm the newest the voter knows of
   * @param record the voter's, where it is newer than the candidate's
   */
  record Ballot(
      long term, boolean trial, boolean granted, long voterTerm, @Nullable JobRecord record)
      implements Message {}

  /**
   * To whoever asks the wrong one or leads without being the leader.
   *
   * @param held the newest record the sender holds
   * @param leader who leads, null: not known
   */
  record Redirect(long term, Version held, @Nullable Member leader) implements Message {}

  /** Leader to all who take part: look closely at your ranks, they seem to hang. Best effort. */
  record Collect(long term, int attempt) implements Message {}

  /** A launcher goes; none of its ranks is left. A leader that says so leads no more. */
  record Bye(long term, String why) implements Message {}
}
