package dev.holdfast.control.state;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.entry.KeptEntry;
import dev.holdfast.control.entry.NodeEntry;
import dev.holdfast.control.entry.Service;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The nodes: what each is, whether it takes jobs, what they share, what people wrote of them. */
final class NodeTable {
  /** As many moments are remembered at which a node was taken out. */
  private static final int TAKEN_OUT = 10_000;

  private final ByName<NodeView> nodes = new ByName<>();
  private final ConcurrentMap<Cause, Set<String>> sharing = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, List<ClusterState.Remark>> remarks =
      new ConcurrentHashMap<>();
  private final Set<String> notInService = new ConcurrentSkipListSet<>(Subject.NATURAL);
  private final ConcurrentLinkedDeque<Instant> takenOut = new ConcurrentLinkedDeque<>();
  private volatile int count;
  private int takenOutCount;

  Set<String> names() {
    return nodes.names();
  }

  void apply(NodeEntry entry, Instant at) {
    switch (entry) {
      case NodeEntry.Described(var node) -> {
        NodeView before = known(node.node(), at);
        before.description().ifPresent(this::unshare);
        share(node);
        put(before.described(node, at));
      }
      case NodeEntry.Silent silent ->
          put(
              known(silent.node(), at)
                  .silent(silent.silent() ? Optional.of(silent.since()) : Optional.empty()));
      case NodeEntry.Moved moved -> move(moved, at);
      case NodeEntry.Scheduled it ->
          put(known(it.node().node(), at).scheduled(new Scheduling(it.scheduler(), it.node(), at)));
      case NodeEntry.Noted noted ->
          remarks.merge(
              noted.subject(),
              List.of(new ClusterState.Remark(noted.actor(), noted.text(), at)),
              NodeTable::both);
    }
  }

  /** The node an entry is about; a note may be about anything. */
  static Optional<String> named(NodeEntry entry) {
    return switch (entry) {
      case NodeEntry.Described(var node) -> Optional.of(node.node());
      case NodeEntry.Silent silent -> Optional.of(silent.node());
      case NodeEntry.Moved moved -> Optional.of(moved.node());
      case NodeEntry.Scheduled it -> Optional.of(it.node().node());
      case NodeEntry.Noted _ -> Optional.empty();
    };
  }

  private static <T> List<T> both(List<T> old, List<T> more) {
    List<T> all = new ArrayList<>(old);
    all.addAll(more);
    return List.copyOf(all);
  }

  private void move(NodeEntry.Moved moved, Instant at) {
    NodeView before = known(moved.node(), at);
    if (before.service().takesJobs() && !moved.to().takesJobs()) {
      takenOut.addLast(at);
      if (takenOutCount == TAKEN_OUT) {
        takenOut.removeFirst();
      } else {
        takenOutCount++;
      }
    }
    if (moved.to() == Service.IN) {
      notInService.remove(moved.node());
    } else {
      notInService.add(moved.node());
    }
    put(before.moved(moved.to(), at, moved.incident(), moved.actor(), moved.why()));
  }

  private static Stream<Cause> shared(NodeDescription node) {
    return Stream.of(node.place(), node.versions())
        .flatMap(it -> it.entrySet().stream())
        .map(it -> new Cause(it.getKey(), it.getValue()));
  }

  private void share(NodeDescription node) {
    shared(node)
        .forEach(
            it -> sharing.computeIfAbsent(it, _ -> ConcurrentHashMap.newKeySet()).add(node.node()));
  }

  private void unshare(NodeDescription node) {
    shared(node)
        .forEach(
            cause ->
                sharing.computeIfPresent(
                    cause,
                    (_, names) -> {
                      names.remove(node.node());
                      return names.isEmpty() ? null : names;
                    }));
  }

  /** Its agent reported. */
  void heard(String name, Instant at) {
    if (!nodes.has(name)) {
      put(NodeView.unknown(name, at));
    }
  }

  void oneMoreIncident(String name) {
    nodes.change(name, NodeView::oneMoreIncident);
  }

  private NodeView known(String name, Instant at) {
    NodeView known = nodes.get(name);
    return known == null ? NodeView.unknown(name, at) : known;
  }

  private void put(NodeView node) {
    if (nodes.put(node.name(), node) == null) {
      count = count + 1;
    }
  }

  Optional<NodeView> get(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  Collection<NodeView> all() {
    return nodes.all();
  }

  int count() {
    return count;
  }

  Set<String> sharing(Cause cause) {
    return Collections.unmodifiableSet(sharing.getOrDefault(cause, Set.of()));
  }

  List<NodeView> notInService() {
    return notInService.stream().flatMap(name -> get(name).stream()).toList();
  }

  Stream<NodeView> outByOurDoing() {
    return notInService.stream()
        .flatMap(name -> get(name).stream())
        .filter(it -> !it.service().takesJobs() && it.actor().equals(ClusterState.SELF));
  }

  /** Times only grow, so the newest that are too old end the count. */
  int takenOutSince(Instant since) {
    int taken = 0;
    for (Iterator<Instant> newest = takenOut.descendingIterator(); newest.hasNext(); taken++) {
      if (newest.next().isBefore(since)) {
        break;
      }
    }
    return taken;
  }

  /** What people wrote about a subject, of a checkpoint. */
  record KeptRemarks(String subject, List<ClusterState.Remark> remarks) {}

  /** When nodes were taken out, of a checkpoint. */
  record KeptTimes(List<Instant> takenOut) {}

  void keep(Consumer<KeptEntry.Thing> out) {
    nodes.all().forEach(it -> out.accept(new KeptEntry.Thing("node", it)));
    remarks.forEach(
        (subject, it) -> out.accept(new KeptEntry.Thing("remarks", new KeptRemarks(subject, it))));
    out.accept(new KeptEntry.Thing("takenOut", new KeptTimes(List.copyOf(takenOut))));
  }

  void restore(NodeView node) {
    put(node);
    node.description().ifPresent(this::share);
    if (node.service() != Service.IN) {
      notInService.add(node.name());
    }
  }

  void restore(KeptRemarks kept) {
    remarks.put(kept.subject(), List.copyOf(kept.remarks()));
  }

  void restore(KeptTimes kept) {
    takenOut.addAll(kept.takenOut());
    takenOutCount = kept.takenOut().size();
  }

  void forget(Instant before) {
    for (String subject : List.copyOf(remarks.keySet())) {
      remarks.computeIfPresent(
          subject,
          (_, all) -> {
            List<ClusterState.Remark> left =
                all.stream().filter(it -> !it.at().isBefore(before)).toList();
            return left.isEmpty() ? null : left;
          });
    }
  }

  Map<String, List<ClusterState.Remark>> remarks() {
    return Collections.unmodifiableMap(remarks);
  }
}
