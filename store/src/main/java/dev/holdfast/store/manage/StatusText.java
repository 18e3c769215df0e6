package dev.holdfast.store.manage;

import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.NaturalOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a store's answer means to a person: who waits for what, since when, and who does not. The
 * one rank that is not in a barrier is what an operator looks for.
 */
public final class StatusText {
  private static final int SHOWN = 8;

  private StatusText() {}

  /** The lines for what one store answered. */
  public static String of(Map<String, @Nullable Object> answer) {
    Fields view = Fields.of("store", answer);
    List<Fields> peers = view.objects("connections");
    Map<String, List<Fields>> waiting = new LinkedHashMap<>();
    List<Fields> others = new ArrayList<>();
    for (Fields peer : peers) {
      List<String> keys = peer.texts("waitsFor");
      if (!keys.isEmpty()) {
        waiting.computeIfAbsent(keys.getFirst(), _ -> new ArrayList<>()).add(peer);
      } else if (peer.number("requests", 0) > 0) {
        others.add(peer);
      }
    }
    StringBuilder out = new StringBuilder(heading(view, peers.size()));
    if (view.has("absent")) {
      out.append(absent(view.object("absent"))).append('\n');
    }
    waiting.entrySet().stream()
        .sorted((a, b) -> Integer.compare(b.getValue().size(), a.getValue().size()))
        .limit(SHOWN)
        .forEach(
            e ->
                out.append(
                    "waiting   %d for %s, the longest %s: %s\n"
                        .formatted(
                            e.getValue().size(),
                            e.getKey(),
                            longest(e.getValue(), "waitsSeconds"),
                            names(e.getValue()))));
    if (waiting.size() > SHOWN) {
      out.append("          and for %d other keys\n".formatted(waiting.size() - SHOWN));
    }
    if (!waiting.isEmpty() && !others.isEmpty()) {
      out.append(
          "not       %d, the longest silent %s: %s\n"
              .formatted(others.size(), longest(others, "idleSeconds"), names(others)));
    }
    if (waiting.isEmpty() && !peers.isEmpty()) {
      out.append("nobody waits\n");
    }
    if (view.has("bufferedBytesLimit")) {
      out.append(
          "buffers   %s of %s: unread answers, unfinished requests\n"
              .formatted(
                  Bytes.of(view.number("bufferedBytes")),
                  Bytes.of(view.number("bufferedBytesLimit"))));
    }
    view.objects("cutOff").stream().limit(SHOWN).forEach(one -> out.append(cutOff(one)));
    return out.toString();
  }

  private static String heading(Fields view, int connections) {
    return "%sport %d  %d connections, %d keys (%s)%s\n"
        .formatted(
            view.has("job")
                ? "%s attempt %d  ".formatted(view.text("job"), view.number("attempt", 0))
                : "",
            view.number("port"),
            connections,
            view.number("keys"),
            Bytes.of(view.number("bytes")),
            view.has("joined")
                ? ", "
                    + view.number("joined")
                    + (view.has("world") ? " of " + view.number("world") : "")
                    + " joined"
                : "");
  }

  /** Who is not where the others are, in one line. */
  static String absent(Fields absent) {
    String key = absent.text("key");
    String since = show(absent.decimal("seconds", 0));
    List<Integer> ranks = absent.integers("ranks");
    long count = absent.number("count");
    if (ranks.isEmpty()) {
      return "absent    %d of %d ranks wait for %s, %s; who does not cannot be told"
          .formatted(absent.number("waiting"), absent.number("world"), key, since);
    }
    if (count > SHOWN) {
      return "absent    %d of %d ranks are not in %s, %s"
          .formatted(count, absent.number("world"), key, since);
    }
    List<Integer> connected = absent.integers("connected");
    String names =
        ranks.stream()
            .map(rank -> rank + (connected.contains(rank) ? "" : " (not connected)"))
            .collect(Collectors.joining(", "));
    return count == 1
        ? "absent    rank %s is the only one not in %s, %s".formatted(names, key, since)
        : "absent    ranks %s are not in %s, %s".formatted(names, key, since);
  }

  private static String cutOff(Fields one) {
    return "cut off   %s, %s ago: %s\n"
        .formatted(name(one), show(one.decimal("secondsAgo", 0)), one.text("why"));
  }

  private static String longest(List<Fields> peers, String field) {
    return show(peers.stream().mapToDouble(p -> p.decimal(field, 0)).max().orElse(0));
  }

  private static String show(double seconds) {
    return Durations.show(Duration.ofMillis(Math.round(seconds * 1000)));
  }

  private static String names(List<Fields> peers) {
    List<String> names =
        peers.stream().map(StatusText::name).distinct().sorted(NaturalOrder.NAMES).toList();
    String shown = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return names.size() > SHOWN
        ? shown + String.format(Locale.ROOT, ", and %d more", names.size() - SHOWN)
        : shown;
  }

  private static String name(Fields peer) {
    if (peer.has("rank")) {
      return "rank " + peer.number("rank") + (peer.has("node") ? " on " + peer.text("node") : "");
    }
    return peer.text("address")
        + (peer.has("process") ? " pid " + peer.number("process") : " port " + peer.number("port"));
  }
}
