package dev.holdfast.store.ranks;

import dev.holdfast.os.net.SocketOwners;
import dev.holdfast.store.server.StoreView;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The processes of this machine that are connected to one store, for clients that do not tell. They
 * are looked up when somebody asks how the store is, never by those who serve, and seldom: what is
 * found is kept as long as its connection is there.
 */
public final class LocalProcesses implements RankNames.Processes {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final long AGAIN_NANOS = 5_000_000_000L;

  private final SocketOwners owners = new SocketOwners(Path.of("/proc"));
  private final LongSupplier nanos;
  private final Map<String, Long> found = new HashMap<>();
  private final Map<String, Boolean> local = new HashMap<>();
  private long lookedNanos;
  private boolean looked;

  public LocalProcesses(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Looks for the processes of local connections nothing is known of yet. */
  public synchronized LocalProcesses look(StoreView view) {
    Set<String> present = new HashSet<>();
    Set<Integer> unknown = new HashSet<>();
    for (StoreView.Peer peer : view.peers()) {
      String end = peer.address() + " " + peer.port();
      present.add(end);
      if (peer.process() == 0 && !found.containsKey(end) && local(peer.address())) {
        unknown.add(peer.port());
      }
    }
    found.keySet().retainAll(present);
    long now = nanos.getAsLong();
    if (!unknown.isEmpty() && (!looked || now - lookedNanos >= AGAIN_NANOS)) {
      looked = true;
      lookedNanos = now;
      Map<Integer, Long> processes = owners.of(view.port(), unknown, LIMIT);
      for (StoreView.Peer peer : view.peers()) {
        Long process = processes.get(peer.port());
        if (process != null && peer.process() == 0 && local(peer.address())) {
          found.put(peer.address() + " " + peer.port(), process);
        }
      }
    }
    return this;
  }

  @Override
  public synchronized OptionalLong of(String address, int port) {
    Long process = found.get(address + " " + port);
    return process == null ? OptionalLong.empty() : OptionalLong.of(process);
  }

  @Override
  public OptionalLong parent(long process) {
    return ProcessHandle.of(process)
        .flatMap(ProcessHandle::parent)
        .map(parent -> OptionalLong.of(parent.pid()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public synchronized boolean local(String address) {
    if (local.size() > 4096) {
      local.clear();
    }
    return local.computeIfAbsent(address, LocalProcesses::ofThisMachine);
  }

  private static boolean ofThisMachine(String address) {
    try {
      InetAddress literal = InetAddress.ofLiteral(address);
      return literal.isLoopbackAddress() || NetworkInterface.getByInetAddress(literal) != null;
    } catch (SocketException | IllegalArgumentException unknown) {
      return false;
    }
  }
}
