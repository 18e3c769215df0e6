package dev.holdfast.doctor.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Answers that are fetched once however many ask, each by the first who asks.
 *
 * <p>Who wants another answer never waits for a slow one. A map that computes its values does not
 * promise that: it locks a part of its table meanwhile, and a probe that hangs would hold up
 * whatever shares that part.
 */
final class Answers<T> {
  private final Map<String, FutureTask<T>> asked = new ConcurrentHashMap<>();

  T ask(String question, Function<String, T> fetch) {
    FutureTask<T> mine = new FutureTask<>(() -> fetch.apply(question));
    FutureTask<T> earlier = asked.putIfAbsent(question, mine);
    if (earlier != null) {
      return await(earlier);
    }
    mine.run();
    return await(mine);
  }

  /** What has been answered until now, by question. */
  Map<String, T> known() {
    Map<String, T> known = new TreeMap<>();
    asked.forEach(
        (question, answer) -> {
          if (answer.state() == Future.State.SUCCESS) {
            known.put(question, answer.resultNow());
          }
        });
    return known;
  }

  /** Waits as long as the one who fetches: the deadline is the probe's, or that of the check. */
  private static <T> T await(FutureTask<T> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
