package dev.holdfast.store.manage;

import dev.holdfast.core.text.Json;
import dev.holdfast.store.server.StoreView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be seen of a store, as JSON. */
final class StatusJson {
  private StatusJson() {}

  static Map<String, @Nullable Object> of(StoreView view) {
    return Json.map(
        "schema",
        "holdfast.store/1",
        "port",
        view.port(),
        "keys",
        view.totals().keys(),
        "bytes",
        view.totals().bytes(),
        "joined",
        view.joined() < 0 ? null : view.joined(),
        "connectionsAccepted",
        view.totals().accepted(),
        "connectionsRefused",
        view.totals().refused(),
        "connectionsDropped",
        view.totals().droppedInAll(),
        "connections",
        view.peers().stream().map(StatusJson::peer).toList());
  }

  private static Map<String, @Nullable Object> peer(StoreView.Peer peer) {
    return Json.map(
        "address",
        peer.address(),
        "port",
        peer.port(),
        "process",
        peer.process() == 0 ? null : peer.process(),
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
        "waitsFor",
        peer.waitsFor().isEmpty() ? null : peer.waitsFor(),
        "waitsSeconds",
        peer.waitsFor().isEmpty() ? null : rounded(peer.waitsSeconds()));
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }
}
