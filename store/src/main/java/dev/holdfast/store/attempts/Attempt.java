package dev.holdfast.store.attempts;

import dev.holdfast.store.ranks.LocalProcesses;
import dev.holdfast.store.ranks.NamedPeer;
import dev.holdfast.store.ranks.RankNames;
import dev.holdfast.store.server.StoreServer;
import dev.holdfast.store.server.StoreView;
import java.util.List;

/**
 * One open store: that of one attempt of a job, or the only one of a process that is not managed.
 *
 * @param job empty for a store that belongs to no job
 * @param world how many ranks there are to be; 0: nobody said
 * @param allowed who may connect, in words
 */
public record Attempt(
    String job,
    int attempt,
    int world,
    String allowed,
    StoreServer server,
    RankNames names,
    LocalProcesses processes) {

  static Attempt of(OpenOrder order, String allowed, StoreServer server) {
    RankNames names = new RankNames();
    names.tell(order.ranks());
    return new Attempt(
        order.job(),
        order.attempt(),
        order.world(),
        allowed,
        server,
        names,
        new LocalProcesses(System::nanoTime));
  }

  /** A store of its own that belongs to no job. */
  public static Attempt plain(StoreServer server, String allowed) {
    return new Attempt(
        "", 0, 0, allowed, server, new RankNames(), new LocalProcesses(System::nanoTime));
  }

  /** The connections of a view and whose they are; looks at this machine's processes. */
  public List<NamedPeer> named(StoreView view) {
    return names.name(view.peers(), processes.look(view));
  }

  /** The same of connections that are closed, of which this machine knows nothing any more. */
  public List<NamedPeer> gone(List<StoreView.Peer> peers) {
    return names.name(peers, RankNames.Processes.NONE);
  }

  public int port() {
    return server.port();
  }
}
