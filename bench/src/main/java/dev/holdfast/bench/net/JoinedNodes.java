package dev.holdfast.bench.net;

import dev.holdfast.core.text.Fields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that came to the rendezvous, and this one, which leads them. Ranks are started by the nodes
 * themselves: whoever leads can have them be ranks and nothing else.
 */
public final class JoinedNodes implements RankSite, AutoCloseable {
  private static final int HELLO_MILLIS = 10_000;
  private static final int LONGEST_HELLO = 1 << 20;
  private static final long PING_MILLIS = 1000;

  private final Rendezvous rendezvous;
  private final List<String> networks;
  private final int ranks;
  private final ServerSocket listener;
  private final Map<Integer, Node> nodes = new ConcurrentHashMap<>();
  private final Map<Integer, Remote> running = new ConcurrentHashMap<>();
  private final AtomicInteger started = new AtomicInteger();
  private final ThisMachine here = new ThisMachine();
  private boolean complete;

  private record Node(String host, Wire wire) {}

  /** A rank of another node. */
  private final class Remote implements RankRun {
    private final int rank;
    private final int number;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private volatile List<String> said = List.of();

    Remote(int rank, int number) {
      this.rank = rank;
      this.number = number;
    }

    @Override
    public long pid() {
      return 0;
    }

    @Override
    public List<String> said() {
      return said;
    }

    @Override
    public CompletableFuture<Integer> ended() {
      return ended;
    }

    @Override
    public void kill() {
      tell(nodeOf(rank), "kill", number);
    }
  }

  private JoinedNodes(
      Rendezvous rendezvous, int ranks, List<String> networks, ServerSocket listener) {
    this.rendezvous = rendezvous;
    this.ranks = ranks;
    this.networks = List.copyOf(networks);
    this.listener = listener;
  }

  /**
   * Listens where the nodes are to come; none when somebody else does, on this machine, or the
   * address is not of this machine.
   */
  public static @Nullable ServerSocket listen(Rendezvous rendezvous) throws IOException {
    InetAddress address = rendezvous.address();
    if (!NetAddress.isOwn(address)) {
      return null;
    }
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(address, rendezvous.port()), 1024);
      return listener;
    } catch (IOException taken) {
      listener.close();
      return null;
    }
  }

  /**
   * Waits until all nodes are here.
   *
   * @param here told how many there are, this one included: at once and whenever one comes
   */
  public static JoinedNodes gather(
      Rendezvous rendezvous,
      ServerSocket listener,
      int ranks,
      List<String> networks,
      double seconds,
      IntConsumer here)
      throws IOException {
    JoinedNodes joined = new JoinedNodes(rendezvous, ranks, networks, listener);
    here.accept(1);
    int told = 1;
    Thread.ofVirtual().name("nodes").start(joined::accept);
    long end = System.nanoTime() + (long) (seconds * 1e9);
    try {
      while (true) {
        boolean complete = joined.complete();
        int count = joined.nodes.size() + 1;
        if (count != told) {
          told = count;
          here.accept(count);
        }
        if (complete) {
          break;
        }
        if (System.nanoTime() > end) {
          throw new IOException(joined.absent(seconds));
        }
        Thread.sleep(20);
      }
      Thread.ofVirtual().name("pings").start(joined::ping);
      return joined;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      joined.close();
      throw new IOException("interrupted", interrupted);
    } catch (IOException failed) {
      joined.close();
      throw failed;
    }
  }

  /** Whether all are here; from then on a node that leaves is missed, not forgotten. */
  private boolean complete() {
    synchronized (nodes) {
      complete = nodes.size() >= rendezvous.nodes() - 1;
      return complete;
    }
  }

  /** Before the start it may come back, or another one in its place. */
  private void left(int node) {
    synchronized (nodes) {
      if (!complete) {
        nodes.remove(node);
      }
    }
    running.values().stream()
        .filter(it -> nodeOf(it.rank) == node)
        .forEach(it -> it.ended.complete(RemoteHosts.SSH_FAILED));
  }

  private String absent(double seconds) {
    List<Integer> missing = new ArrayList<>();
    for (int node = 1; node < rendezvous.nodes(); node++) {
      if (!nodes.containsKey(node)) {
        missing.add(node);
      }
    }
    return "%d of %d nodes came to %s:%d within %.0f s; missing: %s"
        .formatted(
            nodes.size() + 1,
            rendezvous.nodes(),
            rendezvous.host(),
            rendezvous.port(),
            seconds,
            missing);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The end.
    }
  }

  private void serve(Socket socket) {
    try (socket;
        Wire wire = new Wire(socket)) {
      wire.patience(HELLO_MILLIS);
      Fields hello = wire.hear(LONGEST_HELLO);
      if (hello == null) {
        return;
      }
      String refused = refusal(hello);
      int node = refused.isEmpty() ? seat(hello, wire) : -1;
      if (refused.isEmpty() && node < 0) {
        refused = "this node is here already, or all are";
      }
      if (!refused.isEmpty()) {
        wire.say("refused", refused);
        return;
      }
      try {
        wire.say("welcome", node);
        wire.patience(0);
        hear(node, wire);
      } finally {
        left(node);
      }
    } catch (IOException | IllegalArgumentException gone) {
      // A stranger, or a node that was looked after when it left.
    }
  }

  /** Until it leaves. */
  private void hear(int node, Wire wire) throws IOException {
    for (Fields said = wire.hear(); said != null; said = wire.hear()) {
      Remote rank = said.has("ended") ? running.get(said.integer("ended")) : null;
      if (rank != null && nodeOf(rank.rank) == node) {
        rank.said = said.texts("said");
        rank.ended.complete(said.integer("code"));
      }
    }
  }

  /** Its number, or the lowest that is free when it has none; below zero: there is no room. */
  private int seat(Fields hello, Wire wire) {
    Node entry = new Node(hello.text("host", "?"), wire);
    int wanted = hello.integer("node", -1);
    for (int node = 1; node < rendezvous.nodes(); node++) {
      if ((wanted < 0 || wanted == node) && nodes.putIfAbsent(node, entry) == null) {
        return node;
      }
    }
    return -1;
  }

  private String refusal(Fields hello) {
    if (!MessageDigest.isEqual(
        hello.text("token", "").getBytes(StandardCharsets.UTF_8),
        rendezvous.token().getBytes(StandardCharsets.UTF_8))) {
      return "wrong token: HOLDFAST_BENCH_TOKEN or --token-file must be the same everywhere";
    }
    if (hello.integer("join", 0) != RankSettings.VERSION) {
      return "another version of holdfast: it speaks version %d, node 0 %d"
          .formatted(hello.integer("join", 0), RankSettings.VERSION);
    }
    if (!hello.text("plan", "").equals(rendezvous.plan())) {
      return "it means to measure '%s', node 0 '%s'"
          .formatted(hello.text("plan", ""), rendezvous.plan());
    }
    return "";
  }

  private void ping() {
    try {
      while (!listener.isClosed()) {
        nodes.keySet().forEach(it -> tell(it, "ping", true));
        TimeUnit.MILLISECONDS.sleep(PING_MILLIS);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private int nodeOf(int rank) {
    return rank / (ranks / rendezvous.nodes());
  }

  private boolean tell(int node, Object... namesAndValues) {
    Node there = nodes.get(node);
    try {
      if (there != null) {
        there.wire().say(namesAndValues);
      }
      return there != null;
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public RankRun start(int rank, String settings) throws IOException {
    if (nodeOf(rank) == 0) {
      return here.start(rank, settings);
    }
    // Numbered over all rounds, so that the end of an old one is not taken for that of a new one.
    Remote remote = new Remote(rank, started.incrementAndGet());
    running.put(remote.number, remote);
    if (!tell(nodeOf(rank), "start", remote.number, "settings", settings)) {
      remote.ended.complete(RemoteHosts.SSH_FAILED);
    }
    return remote;
  }

  @Override
  public InetAddress address() throws IOException {
    return rendezvous.address();
  }

  @Override
  public List<String> networks() {
    return networks;
  }

  @Override
  public List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Node node = nodes.get(nodeOf(rank));
      hosts.add(node == null ? rendezvous.hostname() : node.host());
    }
    return hosts;
  }

  @Override
  public String advice(int rank, int code) {
    return code == RemoteHosts.SSH_FAILED ? "its node has left" : "";
  }

  /** Lets all nodes go, with the exit code they shall have. */
  public void finish(int code) {
    nodes.keySet().forEach(it -> tell(it, "finish", code));
    close();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Node node : nodes.values()) {
        node.wire().close();
      }
    } catch (IOException gone) {
      // It is gone either way.
    }
  }
}
