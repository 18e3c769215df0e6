package dev.holdfast.doctor.compare;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Fact;
import dev.holdfast.doctor.accelerator.Accelerators;
import dev.holdfast.doctor.inventory.Inventory;
import dev.holdfast.doctor.node.RecordedNode;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the facts of many snapshots, a few at a time, and keeps nothing else of them: thousands fit
 * into a small heap, because nodes of one kind share nearly all their texts.
 */
public record Gathering(List<NodeFacts> nodes, List<Unreadable> unreadable) {
  private static final int MOST_THREADS = 8;

  public Gathering {
    nodes = List.copyOf(nodes);
    unreadable = List.copyOf(unreadable);
  }

  /**
   * Reads what the arguments of the command line mean.
   *
   * @param progress told how many were read, now and then, on any thread
   */
  public static Gathering of(List<String> arguments, IntConsumer progress) {
    List<Path> places = Places.of(arguments);
    @Nullable Object[] results = new Object[places.size()];
    Map<String, String> texts = new ConcurrentHashMap<>();
    AtomicInteger next = new AtomicInteger();
    Runnable work =
        () -> {
          for (int i = next.getAndIncrement(); i < results.length; i = next.getAndIncrement()) {
            results[i] = read(places.get(i), texts);
            progress.accept(i);
          }
        };
    int count = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      threads.add(Thread.ofPlatform().daemon().name("compare-" + i).start(work));
    }
    work.run();
    join(threads);
    List<NodeFacts> nodes = new ArrayList<>();
    List<Unreadable> unreadable = new ArrayList<>();
    for (Object result : results) {
      switch (result) {
        case NodeFacts facts -> nodes.add(facts);
        case Unreadable left -> unreadable.add(left);
        case null, default -> throw new IllegalStateException("a snapshot got lost");
      }
    }
    return new Gathering(distinct(nodes), unreadable);
  }

  private static void join(List<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HoldfastException(ErrorCode.DEFECT, "interrupted", e);
    }
  }

  private static Object read(Path place, Map<String, String> texts) {
    try {
      RecordedNode node = SnapshotArchive.open(place);
      Map<String, String> values = new HashMap<>();
      for (Fact fact : Inventory.of(node, new Accelerators(node))) {
        values.put(shared(texts, fact.name()), shared(texts, fact.value()));
      }
      return new NodeFacts(node.name(), place.toString(), values);
    } catch (HoldfastException e) {
      return new Unreadable(place.toString(), e.code().code(), e.detail());
    } catch (RuntimeException e) {
      return new Unreadable(place.toString(), ErrorCode.DEFECT.code(), e.toString());
    }
  }

  private static String shared(Map<String, String> texts, String text) {
    String known = texts.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  /** Nodes recorded several times are told apart by their file. */
  private static List<NodeFacts> distinct(List<NodeFacts> nodes) {
    Map<String, Integer> count = new HashMap<>();
    nodes.forEach(node -> count.merge(node.node(), 1, Integer::sum));
    return nodes.stream()
        .map(
            node ->
                count.getOrDefault(node.node(), 1) == 1
                    ? node
                    : node.called(node.node() + " (" + Path.of(node.place()).getFileName() + ")"))
        .toList();
  }
}
