package dev.holdfast.control.api;

import dev.holdfast.core.text.Json;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a list is asked for, and the answer with it. Long lists come in pages: {@code next}
 * of one is {@code after} of the following one, and the last has no {@code next}.
 *
 * <p>Who gives {@code after}, empty for the first page, knows of pages. Who does not is given all
 * he asks for in one answer, or an error: a part is never taken for the whole.
 *
 * @param after the key behind which the page begins
 * @param paged whether the one who asks knows of pages
 */
record PageOf(int limit, String after, boolean paged) {
  static final int LIMIT = 1_000;

  private static final int MOST = 10_000;
  private static final int PAGE_CHARACTERS = 1 << 20;
  private static final int WHOLE_CHARACTERS = 4 << 20;

  /** An {@link IllegalArgumentException} says what is wrong with what is asked. */
  static PageOf asked(ServerRequest request) {
    var query = request.query();
    try {
      int limit = query.first("limit").asOptional().map(Integer::parseInt).orElse(LIMIT);
      String after = query.first("after").asOptional().orElse("");
      return new PageOf(Math.clamp(limit, 1, MOST), after, query.contains("after"));
    } catch (NumberFormatException wrong) {
      throw new IllegalArgumentException("limit should be a number", wrong);
    }
  }

  /**
   * The first of these that come behind {@code after}, and one more where there is one; they are
   * chosen without putting all in order.
   *
   * @param order by keys
   */
  <T> List<T> first(Iterable<T> all, Function<T, String> key, Comparator<String> order) {
    Comparator<Keyed<T>> by = Comparator.comparing(Keyed::key, order);
    PriorityQueue<Keyed<T>> best = new PriorityQueue<>(by.reversed());
    for (T one : all) {
      Keyed<T> keyed = new Keyed<>(key.apply(one), one);
      boolean behind = after.isEmpty() || order.compare(keyed.key(), after) > 0;
      if (behind && (best.size() <= limit || by.compare(keyed, best.element()) < 0)) {
        best.add(keyed);
        if (best.size() > limit + 1) {
          best.remove();
        }
      }
    }
    return best.stream().sorted(by).map(Keyed::one).toList();
  }

  /** Its key is made once, not for each comparison. */
  private record Keyed<T>(String key, T one) {}

  /**
   * Answers with what stands behind {@code after} of a list that is in order.
   *
   * @param whole whether it must be all there is unless pages are asked for
   */
  <T> void answer(
      ServerResponse response,
      String name,
      Stream<T> behind,
      Function<T, String> key,
      Function<T, Map<String, @Nullable Object>> show,
      boolean whole) {
    Optional<byte[]> text = text(name, behind, key, show, whole);
    if (text.isEmpty()) {
      tooLong(response);
    } else {
      Answers.bytes(response, "application/json", text.get());
    }
  }

  /** The answer; none: it would be too long. */
  private <T> Optional<byte[]> text(
      String name,
      Stream<T> behind,
      Function<T, String> key,
      Function<T, Map<String, @Nullable Object>> show,
      boolean whole) {
    StringBuilder text = new StringBuilder();
    text.append("{\"schema\":\"holdfast.").append(name).append("/1\",\"").append(name);
    text.append("\":[");
    int count = 0;
    String last = "";
    Iterator<T> items = behind.iterator();
    while (items.hasNext() && count < limit && (!paged || text.length() < PAGE_CHARACTERS)) {
      T item = items.next();
      last = key.apply(item);
      text.append(count == 0 ? "" : ",").append(Json.line(show.apply(item)));
      count++;
      if (!paged && text.length() > WHOLE_CHARACTERS) {
        return Optional.empty();
      }
    }
    boolean more = items.hasNext();
    if (more && whole && !paged) {
      return Optional.empty();
    }
    text.append(']');
    if (more) {
      text.append(",\"next\":").append(Json.line(last));
    }
    return Optional.of(text.append('}').toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void tooLong(ServerResponse response) {
    Answers.error(
        response,
        413,
        "too long for one answer: ask with after= and follow next from page to page (docs/control-plane.md)");
  }
}
