package dev.holdfast.bench.net;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Links over sockets. A look at a socket is a system call, so few of them come before sleep. */
final class SocketMesh implements Mesh {
  private static final int SPINS = 200;
  private static final int YIELDS = 200;
  private static final int NAP_MILLIS = 100;

  private final List<@Nullable SocketLink> links;
  private final Selector selector;
  private final boolean ownCore;
  private @Nullable SocketLink watchedTo;
  private @Nullable SocketLink watchedFrom;

  /**
   * @param links by rank; none to itself
   * @param ownCore nobody else needs the core while this rank waits
   */
  SocketMesh(List<@Nullable SocketLink> links, boolean ownCore) throws IOException {
    this.links = links;
    this.ownCore = ownCore;
    this.selector = Selector.open();
    for (SocketLink link : links) {
      if (link != null) {
        link.register(selector);
      }
    }
  }

  @Override
  public Link link(int peer) {
    SocketLink link = links.get(peer);
    if (link == null) {
      throw new IllegalArgumentException("no link to rank " + peer);
    }
    return link;
  }

  @Override
  public int spins() {
    return ownCore ? SPINS : 0;
  }

  @Override
  public int yields() {
    return ownCore ? YIELDS : 1;
  }

  @Override
  public void sleep(@Nullable Link to, @Nullable Link from) throws IOException {
    SocketLink out = (SocketLink) to;
    SocketLink in = (SocketLink) from;
    forget(watchedTo, out, in);
    forget(watchedFrom, out, in);
    if (out != null && out == in) {
      out.watch(selector, true, true);
    } else {
      if (out != null) {
        out.watch(selector, true, false);
      }
      if (in != null) {
        in.watch(selector, false, true);
      }
    }
    watchedTo = out;
    watchedFrom = in;
    selector.select(NAP_MILLIS);
    selector.selectedKeys().clear();
  }

  private void forget(
      @Nullable SocketLink before, @Nullable SocketLink to, @Nullable SocketLink from) {
    if (before != null && before != to && before != from) {
      before.watch(selector, false, false);
    }
  }

  @Override
  public void awake() {}

  @Override
  public void close() {
    for (SocketLink link : links) {
      if (link != null) {
        link.close();
      }
    }
    try {
      selector.close();
    } catch (IOException gone) {
      // It is gone either way.
    }
  }
}
