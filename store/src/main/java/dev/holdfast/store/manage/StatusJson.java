package dev.holdfast.store.manage;

import dev.holdfast.core.text.Json;
import dev.holdfast.store.attempts.Attempt;
import dev.holdfast.store.ranks.Absence;
import dev.holdfast.store.ranks.NamedPeer;
import dev.holdfast.store.ranks.RankNames;
import dev.holdfast.store.ranks.RankState;
import dev.holdfast.store.server.StoreView;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What can be seen of a store, as JSON. */
final class StatusJson {
  private StatusJson() {}

  /** Looks at a store; {@code connections}: with every single one. */
  static Map<String, @Nullable Object> of(Attempt attempt, boolean connections) {
    StoreView view = attempt.server().view();
    List<NamedPeer> named = attempt.named(view);
    StoreView.Totals totals = view.totals();
    return Json.map(
        "schema",
        "holdfast.store/1",
        "job",
        attempt.job().isEmpty() ? null : attempt.job(),
        "attempt",
        attempt.job().isEmpty() ? null : attempt.attempt(),
        "world",
        attempt.world() == 0 ? null : attempt.world(),
        "port",
        view.port(),
        "allowed",
        attempt.allowed(),
        "keys",
        totals.keys(),
        "bytes",
        totals.bytes(),
        "bufferedBytes",
        totals.buffered(),
        "bufferedBytesLimit",
        totals.mostBuffered(),
        "joined",
        view.joined() < 0 ? null : view.joined(),
        "waiting",
        totals.waiting(),
        "connectionsOpen",
        totals.connections(),
        "connectionsAccepted",
        totals.accepted(),
        "connectionsRefused",
        totals.refused(),
        "connectionsDropped",
        totals.droppedInAll(),
        "cutOff",
        cutOff(attempt, view),
        "absent",
        Absence.of(attempt.world(), named).map(Absence::json).orElse(null),
        "ranks",
        RankNames.ranks(named).stream().map(RankState::json).toList(),
        "connections",
        connections ? named.stream().map(StatusJson::peer).toList() : null);
  }

  private static List<Map<String, @Nullable Object>> cutOff(Attempt attempt, StoreView view) {
    List<StoreView.CutOff> cut = view.cutOff();
    List<NamedPeer> named = attempt.gone(cut.stream().map(StoreView.CutOff::peer).toList());
    return IntStream.range(0, cut.size())
        .mapToObj(
            i -> {
              Map<String, @Nullable Object> row =
                  Json.map(
                      "reason",
                      cut.get(i).reason().word(),
                      "why",
                      cut.get(i).why(),
                      "secondsAgo",
                      rounded(cut.get(i).secondsAgo()));
              row.putAll(peer(named.get(i)));
              return row;
            })
        .toList();
  }

  private static Map<String, @Nullable Object> peer(NamedPeer named) {
    StoreView.Peer peer = named.peer();
    boolean waits = !peer.waitsFor().isEmpty();
    return Json.map(
        "rank",
        named.rank() < 0 ? null : named.rank(),
        "node",
        named.node().isEmpty() ? null : named.node(),
        "address",
        peer.address(),
        "port",
        peer.port(),
        "process",
        named.process() == 0 ? null : named.process(),
        "dialect",
        peer.dialect(),
        "seconds",
        rounded(peer.seconds()),
        "idleSeconds",
        rounded(peer.idleSeconds()),
        "requests",
        peer.requests(),
        "last",
        peer.requests() == 0 ? null : peer.last(),
        "bufferedBytes",
        peer.buffered() == 0 ? null : peer.buffered(),
        "waitsFor",
        waits ? peer.waitsFor() : null,
        "waitsSeconds",
        waits ? rounded(peer.waitsSeconds()) : null);
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }
}
