package dev.holdfast.control;

import dev.holdfast.control.access.Entrance;
import dev.holdfast.control.api.StandbyServer;
import dev.holdfast.control.journal.Database;
import dev.holdfast.control.journal.Follower;
import dev.holdfast.control.journal.Journal;
import dev.holdfast.control.journal.Leader;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.os.process.Heartbeats;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A control plane that waits for its turn. It reads along in the journal, so that little is left to
 * read when it leads, and tells whoever asks it where the leader is.
 */
public final class Standby implements AutoCloseable {
  /** Between two looks at the journal and the lease. */
  private static final Duration PACE = Duration.ofMillis(500);

  /** The database has ten seconds for each of a few questions; a long journal is read in pages. */
  private static final Duration STUCK = Duration.ofMinutes(3);

  private final Heartbeats heartbeats;
  private final Heartbeats.Beat heartbeat;
  private final ClusterState state = new ClusterState();
  private final Follower follower;
  private final StandbyServer server;

  /**
   * @param address where this control plane is reached once it leads
   * @param heartbeats the threads of this process that must live
   */
  public Standby(
      Database database,
      String address,
      Entrance entrance,
      String host,
      int port,
      Heartbeats heartbeats) {
    this.follower = new Follower(database, address, state::apply);
    this.server =
        new StandbyServer(
            entrance,
            host,
            port,
            () -> follower.leader().map(Leader::address).orElse(""),
            follower::problem,
            follower::position,
            heartbeats);
    this.heartbeat = heartbeats.expect("following the journal", STUCK);
    this.heartbeats = heartbeats;
  }

  public int port() {
    return server.port();
  }

  /**
   * Waits until this control plane leads; the port is free then.
   *
   * @param told what changes meanwhile, one sentence each
   */
  public Lead await(Consumer<String> told) throws InterruptedException {
    String last = "";
    while (true) {
      heartbeat.beat();
      Optional<Journal> won = follower.look();
      if (won.isPresent()) {
        server.close();
        heartbeats.release(heartbeat);
        return new Lead(won.get(), state, follower.position());
      }
      String now = follower.problem().orElseGet(this::waiting);
      if (!now.equals(last)) {
        told.accept(now);
        last = now;
      }
      Thread.sleep(PACE);
    }
  }

  private String waiting() {
    String leader = follower.leader().map(Leader::address).orElse("");
    return "standby: the control plane "
        + (leader.isEmpty() ? "of another process" : "on " + leader)
        + " leads";
  }

  @Override
  public void close() {
    server.close();
    follower.close();
  }
}
