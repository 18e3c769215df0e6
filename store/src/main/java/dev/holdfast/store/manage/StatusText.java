package dev.holdfast.store.manage;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store's answer means to a person: who waits for what, since when, and who does not. The
 * one rank that is not in a barrier is what an operator looks for.
 */
public final class StatusText {
  private static final int SHOWN = 8;

  private StatusText() {}

  /** The lines for the JSON a store answered. */
  public static String of(String json) {
    Map<String, @Nullable Object> view = Json.object(json);
    List<Map<?, ?>> peers = peers(view);
    Map<String, List<Map<?, ?>>> waiting = new LinkedHashMap<>();
    List<Map<?, ?>> others = new ArrayList<>();
    for (Map<?, ?> peer : peers) {
      if (peer.get("waitsFor") instanceof List<?> keys && !keys.isEmpty()) {
        waiting.computeIfAbsent(String.valueOf(keys.getFirst()), _ -> new ArrayList<>()).add(peer);
      } else if (number(peer.get("requests")) > 0) {
        others.add(peer);
      }
    }
    StringBuilder out = new StringBuilder();
    out.append(
        "port %d  %d connections, %d keys (%s)%s\n"
            .formatted(
                number(view.get("port")),
                peers.size(),
                number(view.get("keys")),
                Bytes.of(number(view.get("bytes"))),
                view.get("joined") == null ? "" : ", " + number(view.get("joined")) + " joined"));
    waiting.forEach(
        (key, list) ->
            out.append(
                "waiting   %d for %s, the longest %s: %s\n"
                    .formatted(list.size(), key, longest(list, "waitsSeconds"), names(list))));
    if (!waiting.isEmpty() && !others.isEmpty()) {
      out.append(
          "not       %d, the longest silent %s: %s\n"
              .formatted(others.size(), longest(others, "idleSeconds"), names(others)));
    }
    if (waiting.isEmpty() && !peers.isEmpty()) {
      out.append("nobody waits\n");
    }
    return out.toString();
  }

  private static List<Map<?, ?>> peers(Map<String, @Nullable Object> view) {
    List<Map<?, ?>> list = new ArrayList<>();
    if (view.get("connections") instanceof List<?> all) {
      for (Object peer : all) {
        if (peer instanceof Map<?, ?> map) {
          list.add(map);
        }
      }
    }
    return list;
  }

  private static String longest(List<Map<?, ?>> peers, String field) {
    double seconds =
        peers.stream()
            .mapToDouble(p -> p.get(field) instanceof Number n ? n.doubleValue() : 0)
            .max()
            .orElse(0);
    return Durations.show(Duration.ofMillis(Math.round(seconds * 1000)));
  }

  private static String names(List<Map<?, ?>> peers) {
    List<String> names = new ArrayList<>();
    for (Map<?, ?> peer : peers) {
      if (names.size() == SHOWN) {
        names.add("and " + (peers.size() - SHOWN) + " more");
        break;
      }
      names.add(
          peer.get("address")
              + (peer.get("process") == null
                  ? " port " + peer.get("port")
                  : " pid " + peer.get("process")));
    }
    return String.join(", ", names);
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
