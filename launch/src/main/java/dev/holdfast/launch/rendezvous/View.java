package dev.holdfast.launch.rendezvous;

import dev.holdfast.launch.job.Member;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the rendezvous stands, for status.
 *
 * @param role leader, member, or searching
 * @param term 1 for the first leader, more with each election
 * @param leader the node that leads, empty: not known
 * @param phase what the leader does; empty on other nodes
 * @param attempt the newest, −1: none yet
 * @param leaseMillis how long this node's ranks may live on without another word
 * @param members as the leader knows them; on other nodes those of the record
 */
public record View(
    String role,
    long term,
    String leader,
    String phase,
    int attempt,
    int restarts,
    long leaseMillis,
    List<Standing> members) {

  public enum State {
    RUNNING,
    SPARE,
    LOST,
    /** It did not say that its ranks are gone; they have no lease and no store. */
    NOT_CONFIRMED,
    EXCLUDED,
    LEFT
  }

  /**
   * How one launcher stands.
   *
   * @param heardMillis how long ago it was heard of, −1: never by this leader, or not known here
   */
  public record Standing(Member member, State state, boolean votes, long heardMillis) {}

  public View {
    members = List.copyOf(members);
  }

  static View of(Core core, Following following, @Nullable Leading leading, long now) {
    JobRecord record = core.record;
    Member leader = core.leader;
    List<Standing> members = new ArrayList<>();
    if (leading != null) {
      for (Peer peer : leading.roster().all()) {
        long heard = peer.heardAt == Peer.NEVER ? -1 : now - peer.heardAt;
        members.add(new Standing(peer.member, state(leading, peer), peer.votes > 0, heard));
      }
    } else if (record != null) {
      for (Member member : record.assignment().members()) {
        members.add(new Standing(member, State.RUNNING, core.quorum.place(member) >= 0, -1));
      }
    }
    return new View(
        leading != null ? "leader" : following.leaderless() ? "searching" : "member",
        core.term,
        leader == null ? "" : leader.node(),
        leading == null ? "" : leading.phase().name().toLowerCase(java.util.Locale.ROOT),
        leading != null ? leading.attempt() : record == null ? -1 : record.attempt(),
        record == null ? 0 : record.assignment().restarts(),
        Math.max(0, following.leaseUntil() - now),
        members);
  }

  private static State state(Leading leading, Peer peer) {
    Roster roster = leading.roster();
    if (peer.gone) {
      return State.LEFT;
    } else if (peer.fenced()) {
      return State.NOT_CONFIRMED;
    } else if (!roster.fresh(peer)) {
      return peer.assigned && peer.clear < leading.attempt() ? State.NOT_CONFIRMED : State.LOST;
    } else if (roster.excluded().contains(peer.member.node())) {
      return State.EXCLUDED;
    }
    return peer.assigned ? State.RUNNING : State.SPARE;
  }
}
