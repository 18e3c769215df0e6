package dev.holdfast.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All clients of one measurement, spread over a few threads that act together. */
final class Fleet implements AutoCloseable {
  /**
   * Fewer than any server lets wait in line, so that no attempt is lost and repeated a second
   * later.
   */
  static final int IN_FLIGHT = 2000;

  private final List<Lane> lanes = new ArrayList<>();
  private final ExecutorService threads;
  private final int clients;

  Fleet(InetSocketAddress target, int clients, int mostThreads) throws IOException {
    this.clients = clients;
    int count = Math.clamp(clients, 1, mostThreads);
    this.threads = Executors.newFixedThreadPool(count);
    int first = 0;
    for (int i = 0; i < count; i++) {
      int share = clients / count + (i < clients % count ? 1 : 0);
      lanes.add(new Lane(target, first, share));
      first += share;
    }
  }

  int clients() {
    return clients;
  }

  /** What all lanes do at once. */
  interface Task<T> {
    T on(Lane lane) throws IOException;
  }

  /** Begins a task on every lane. */
  <T> List<Future<T>> begin(Task<T> task) {
    List<Future<T>> futures = new ArrayList<>();
    for (Lane lane : lanes) {
      Callable<T> call = () -> task.on(lane);
      futures.add(threads.submit(call));
    }
    return futures;
  }

  /** The results of all lanes; the lanes keep deadlines of their own. */
  static <T> List<T> all(List<Future<T>> futures) throws IOException {
    List<T> results = new ArrayList<>();
    IOException first = null;
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException failed) {
        IOException problem =
            failed.getCause() instanceof IOException known
                ? known
                : new IOException(failed.getCause());
        first = first == null ? problem : first;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", interrupted);
      }
    }
    if (first != null) {
      throw first;
    }
    return results;
  }

  <T> List<T> run(Task<T> task) throws IOException {
    return all(begin(task));
  }

  /**
   * How many were let in and how long all of it took.
   *
   * @param seconds from the first attempt to the last answer
   */
  record Arrival(int ready, double seconds) {}

  Arrival connect(long withinNanos) throws IOException {
    long start = System.nanoTime();
    int each = Math.max(1, IN_FLIGHT / lanes.size());
    List<Lane.Connected> parts = run(lane -> lane.connect(each, start + withinNanos));
    int ready = parts.stream().mapToInt(Lane.Connected::ready).sum();
    long last = parts.stream().mapToLong(Lane.Connected::lastNanos).max().orElse(start);
    return new Arrival(ready, (last - start) / 1e9);
  }

  /** Connects all of them or fails. */
  Arrival connectAll() throws IOException {
    Arrival arrival = connect(120_000_000_000L);
    if (arrival.ready() < clients) {
      throw new IOException(
          "only %d of %d clients were let in within 120 s".formatted(arrival.ready(), clients));
    }
    return arrival;
  }

  @Override
  public void close() {
    threads.close();
    lanes.forEach(Lane::close);
  }
}
