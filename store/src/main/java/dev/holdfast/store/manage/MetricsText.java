package dev.holdfast.store.manage;

import dev.holdfast.store.attempts.Attempt;
import dev.holdfast.store.protocol.DropReason;
import dev.holdfast.store.protocol.Operation;
import dev.holdfast.store.server.StoreView;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The counters of all open stores of a process in Prometheus's text form. Asks no serving thread
 * for anything, so it can be read as often as one likes.
 */
final class MetricsText {
  private final StringBuilder out = new StringBuilder();
  private final List<Labelled> stores;

  private record Labelled(String labels, StoreView.Totals totals) {}

  private MetricsText(List<Labelled> stores) {
    this.stores = stores;
  }

  static String of(List<Attempt> attempts) {
    MetricsText text =
        new MetricsText(
            attempts.stream()
                .map(one -> new Labelled(labels(one), one.server().totals()))
                .toList());
    text.head("attempts_open", "gauge", "Stores that are open in this process.");
    text.out.append("holdfast_store_attempts_open ").append(attempts.size()).append('\n');
    text.each("connections", "gauge", "Connections now.", StoreView.Totals::connections);
    text.each(
        "connections_accepted_total", "counter", "Connections taken.", StoreView.Totals::accepted);
    text.each(
        "connections_refused_total",
        "counter",
        "Connections of those who may not connect, or one too many.",
        StoreView.Totals::refused);
    text.each("keys", "gauge", "Keys now.", StoreView.Totals::keys);
    text.each("bytes", "gauge", "Bytes of keys and values.", StoreView.Totals::bytes);
    text.each("waiting", "gauge", "Clients that wait for a key.", StoreView.Totals::waiting);
    text.each(
        "wakeups_total",
        "counter",
        "Waits that ended because what was waited for came.",
        StoreView.Totals::wakeUps);
    text.operations();
    text.drops();
    text.ofAll(
        "buffered_bytes",
        "Unread answers and unfinished requests of all clients.",
        StoreView.Totals::buffered);
    text.ofAll(
        "buffered_bytes_limit",
        "How many bytes of them there may be; then the slowest clients are cut off.",
        StoreView.Totals::mostBuffered);
    return text.out.toString();
  }

  private void operations() {
    head("operations_total", "counter", "Requests by kind.");
    for (Labelled store : stores) {
      for (Operation operation : Operation.values()) {
        line(
            "operations_total",
            store.labels() + ",operation=\"" + operation.name().toLowerCase(Locale.ROOT) + "\"",
            store.totals().operations().getOrDefault(operation, 0L));
      }
    }
  }

  private void drops() {
    head("connections_dropped_total", "counter", "Connections the store ended, by reason.");
    for (Labelled store : stores) {
      for (DropReason reason : DropReason.values()) {
        line(
            "connections_dropped_total",
            store.labels() + ",reason=\"" + reason.word() + "\"",
            store.totals().dropped().getOrDefault(reason, 0L));
      }
    }
  }

  private void each(String name, String type, String help, ToLongFunction<StoreView.Totals> value) {
    head(name, type, help);
    stores.forEach(store -> line(name, store.labels(), value.applyAsLong(store.totals())));
  }

  /** What every store of the process says alike. */
  private void ofAll(String name, String help, ToLongFunction<StoreView.Totals> value) {
    head(name, "gauge", help);
    long most = stores.stream().map(Labelled::totals).mapToLong(value).max().orElse(0);
    out.append("holdfast_store_").append(name).append(' ').append(most).append('\n');
  }

  private void head(String name, String type, String help) {
    out.append("# HELP holdfast_store_%s %s\n".formatted(name, help));
    out.append("# TYPE holdfast_store_%s %s\n".formatted(name, type));
  }

  private void line(String name, String labels, long value) {
    out.append("holdfast_store_").append(name).append('{').append(labels).append("} ");
    out.append(value).append('\n');
  }

  private static String labels(Attempt attempt) {
    return "job=\"%s\",attempt=\"%s\",port=\"%d\""
        .formatted(
            attempt.job().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"),
            attempt.job().isEmpty() ? "" : Integer.toString(attempt.attempt()),
            attempt.port());
  }
}
