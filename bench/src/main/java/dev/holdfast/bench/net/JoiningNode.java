package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A node that comes to the rendezvous and starts ranks when it is told to. */
public final class JoiningNode {
  private static final int CONNECT_MILLIS = 5000;
  private static final long AGAIN_MILLIS = 200;

  /** Node 0 waits for others as long as we do, and its clock is not ours. */
  private static final double LONGER = 1.1;

  private final Rendezvous rendezvous;
  private final Map<Integer, RankRun> running = new ConcurrentHashMap<>();

  private JoiningNode(Rendezvous rendezvous) {
    this.rendezvous = rendezvous;
  }

  /**
   * Takes part until the node that leads lets it go.
   *
   * @param seconds how long to wait for that node, and then for all others to come
   * @param joined told the number of this node
   * @return the exit code it is given
   */
  public static int run(Rendezvous rendezvous, double seconds, IntConsumer joined)
      throws IOException {
    JoiningNode node = new JoiningNode(rendezvous);
    try (Socket socket = node.connect(seconds);
        Wire wire = new Wire(socket)) {
      return node.obey(wire, seconds, joined);
    } finally {
      node.running.values().forEach(RankRun::kill);
    }
  }

  /** The node that leads may come later than this one. */
  private Socket connect(double seconds) throws IOException {
    InetSocketAddress address = new InetSocketAddress(rendezvous.address(), rendezvous.port());
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(address, CONNECT_MILLIS);
        return socket;
      } catch (IOException notYet) {
        socket.close();
        if (System.nanoTime() > end) {
          throw new IOException(
              "cannot reach node 0 at %s:%d for %.0f s: %s"
                  .formatted(rendezvous.host(), rendezvous.port(), seconds, notYet.getMessage()),
              notYet);
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(AGAIN_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private int obey(Wire wire, double seconds, IntConsumer joined) throws IOException {
    double gathering = LONGER * seconds;
    wire.patience((int) (1000 * gathering));
    wire.say(
        "join", RankSettings.VERSION,
        "token", rendezvous.token(),
        "node", rendezvous.node(),
        "host", rendezvous.hostname(),
        "plan", rendezvous.plan());
    Fields answer = answer(wire, gathering);
    if (answer == null) {
      throw new IOException("node 0 closed the connection at once");
    }
    if (answer.has("refused")) {
      throw new IOException("node 0 refuses this node: " + answer.text("refused"));
    }
    joined.accept(answer.integer("welcome"));
    boolean begun = false;
    try {
      for (Fields order = wire.hear(); order != null; order = wire.hear()) {
        if (!begun) {
          begun = true;
          wire.patience((int) (1000 * rendezvous.patienceSeconds()));
        }
        if (order.has("start")) {
          start(wire, order.integer("start"), order.text("settings"));
        } else if (order.has("kill")) {
          RankRun run = running.get(order.integer("kill"));
          if (run != null) {
            run.kill();
          }
        } else if (order.has("finish")) {
          return order.integer("finish");
        }
      }
    } catch (SocketTimeoutException silence) {
      throw new IOException(
          begun
              ? "nothing was heard of node 0 for %.0f s".formatted(rendezvous.patienceSeconds())
              : "nothing was heard of node 0 at %s:%d for %.0f s while nodes gathered: is %s still up?"
                  .formatted(rendezvous.host(), rendezvous.port(), gathering, rendezvous.host()),
          silence);
    }
    throw new IOException("node 0 is gone");
  }

  /** Whoever listens there need not be a node of ours. */
  private @Nullable Fields answer(Wire wire, double seconds) throws IOException {
    try {
      return wire.hear();
    } catch (SocketTimeoutException silence) {
      throw new IOException(
          ("whoever listens at %1$s:%2$d said nothing for %3$.0f s and is hardly node 0: see who it"
                  + " is (`ss -ltnp sport = :%2$d` on %1$s), or take another port (--rdzv)")
              .formatted(rendezvous.host(), rendezvous.port(), seconds),
          silence);
    }
  }

  private void start(Wire wire, int number, String settings) throws IOException {
    RankRun run = ChildRank.start(ThisMachine.program(), settings);
    running.put(number, run);
    run.ended()
        .thenAccept(
            code -> {
              try {
                wire.say("ended", number, "code", code, "said", run.said());
              } catch (IOException gone) {
                // Node 0 is gone, and knows it.
              }
            });
  }
}
