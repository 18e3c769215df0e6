package dev.holdfast.store.ranks;

import dev.holdfast.store.server.StoreView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which rank each connection belongs to. A launcher knows it best: it tells processes and nodes,
 * and a client tells its process (from PyTorch 2.5 on) or, on this machine, the kernel does.
 * Without a launcher a rank is known by a key only it writes. Where two answers are possible there
 * is none.
 */
public final class RankNames {
  private static final int PARENTS = 16;

  /** What this machine knows of processes. */
  public interface Processes {
    /** For what is not running any more. */
    Processes NONE =
        new Processes() {
          @Override
          public OptionalLong of(String address, int port) {
            return OptionalLong.empty();
          }

          @Override
          public OptionalLong parent(long process) {
            return OptionalLong.empty();
          }

          @Override
          public boolean local(String address) {
            return false;
          }
        };

    /** The process here that has this end of a connection to the store. */
    OptionalLong of(String address, int port);

    /** The parent of a process of this machine. */
    OptionalLong parent(long process);

    /** Whether an address is one of this machine. */
    boolean local(String address);
  }

  private final Map<Integer, RankName> told = new TreeMap<>();

  /** What a launcher tells; a rank told of again is known by what was told last. */
  public synchronized void tell(List<RankName> names) {
    names.forEach(name -> told.put(name.rank(), name));
  }

  /** Every connection with its rank, where it can be told. */
  public List<NamedPeer> name(List<StoreView.Peer> peers, Processes processes) {
    Map<Long, List<RankName>> byProcess = byProcess();
    List<NamedPeer> named = new ArrayList<>(peers.size());
    Map<String, Integer> byOwnKeys = new HashMap<>();
    for (StoreView.Peer peer : peers) {
      if (peer.rank() >= 0 && peer.process() != 0) {
        byOwnKeys.put(peer.address() + " " + peer.process(), peer.rank());
      }
    }
    for (StoreView.Peer peer : peers) {
      boolean local = processes.local(peer.address());
      long process = peer.process();
      if (process == 0 && local) {
        process = processes.of(peer.address(), peer.port()).orElse(0);
      }
      RankName name = find(byProcess, peer, process, local ? processes : null);
      int byKeys =
          peer.rank() >= 0
              ? peer.rank()
              : byOwnKeys.getOrDefault(peer.address() + " " + peer.process(), -1);
      named.add(
          name == null
              ? new NamedPeer(peer, byKeys, node(byKeys), process)
              : new NamedPeer(peer, name.rank(), name.node(), process));
    }
    return named;
  }

  private synchronized Map<Long, List<RankName>> byProcess() {
    Map<Long, List<RankName>> map = new HashMap<>();
    for (RankName name : told.values()) {
      if (name.process() != 0) {
        map.computeIfAbsent(name.process(), _ -> new ArrayList<>()).add(name);
      }
    }
    return map;
  }

  private synchronized String node(int rank) {
    RankName name = told.get(rank);
    return name == null ? "" : name.node();
  }

  /** The rank of a process, or of the nearest of its parents that is one: a script may start it. */
  private static @Nullable RankName find(
      Map<Long, List<RankName>> byProcess,
      StoreView.Peer peer,
      long process,
      @Nullable Processes here) {
    OptionalLong at = process == 0 ? OptionalLong.empty() : OptionalLong.of(process);
    for (int i = 0; i < PARENTS && at.isPresent(); i++) {
      RankName name = only(byProcess.getOrDefault(at.getAsLong(), List.of()), peer);
      if (name != null) {
        return name;
      }
      at = here == null ? OptionalLong.empty() : here.parent(at.getAsLong());
    }
    return null;
  }

  /** Process numbers are unique on one node only: several candidates are told apart by address. */
  private static @Nullable RankName only(List<RankName> candidates, StoreView.Peer peer) {
    List<RankName> there =
        candidates.stream().filter(name -> name.address().equals(peer.address())).toList();
    if (there.size() == 1) {
      return there.getFirst();
    }
    List<RankName> anywhere = candidates.stream().filter(name -> name.address().isEmpty()).toList();
    return there.isEmpty() && candidates.size() == 1 && anywhere.size() == 1
        ? anywhere.getFirst()
        : null;
  }

  /** What is seen of every rank that can be told, in order. */
  public static List<RankState> ranks(List<NamedPeer> peers) {
    Map<Integer, List<NamedPeer>> byRank = new TreeMap<>();
    for (NamedPeer peer : peers) {
      if (peer.rank() >= 0) {
        byRank.computeIfAbsent(peer.rank(), _ -> new ArrayList<>()).add(peer);
      }
    }
    return byRank.entrySet().stream().map(e -> state(e.getKey(), e.getValue())).toList();
  }

  private static RankState state(int rank, List<NamedPeer> peers) {
    return new RankState(
        rank,
        peers.getFirst().node(),
        peers.stream().mapToLong(NamedPeer::process).max().orElse(0),
        peers.size(),
        peers.stream().flatMap(p -> p.peer().waitsFor().stream()).distinct().limit(8).toList(),
        peers.stream().mapToDouble(p -> p.peer().waitsSeconds()).max().orElse(0),
        peers.stream().mapToDouble(p -> p.peer().idleSeconds()).min().orElse(0));
  }
}
