package dev.holdfast.control.api;

import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.control.state.JobView;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How every device of the cluster is, in one short answer: ten thousand nodes are drawn from it, so
 * a node is a row of values under named columns, and what many nodes have alike (which devices they
 * hold) is said once and numbered.
 *
 * <p>A finding counts while it holds, and an event as long as its incident is open.
 */
final class HeatmapJson {
  private static final List<String> COLUMNS =
      List.of("node", "place", "layout", "service", "silentSince", "severity", "job", "parts");

  private final ClusterState state;
  private final Map<List<String>, Integer> layouts = new LinkedHashMap<>();

  private HeatmapJson(ClusterState state) {
    this.state = state;
  }

  static Map<String, @Nullable Object> of(
      ClusterState state, Collection<NodeView> nodes, Instant now) {
    HeatmapJson heatmap = new HeatmapJson(state);
    List<Object> rows = new ArrayList<>(nodes.size());
    nodes.forEach(node -> rows.add(heatmap.row(node)));
    return Json.map(
        "schema",
        "holdfast.heatmap/1",
        "time",
        Times.show(now),
        "columns",
        COLUMNS,
        "layouts",
        List.copyOf(heatmap.layouts.keySet()),
        "rows",
        rows);
  }

  private List<@Nullable Object> row(NodeView node) {
    List<String> devices =
        node.description().stream()
            .flatMap(it -> it.devices().stream())
            .map(it -> it.kind() + "/" + it.name())
            .toList();
    int layout = layouts.computeIfAbsent(devices, _ -> layouts.size());
    Map<String, Severity> parts = new TreeMap<>();
    for (FindingView finding : state.findingsOf(node.name())) {
      if (counts(finding)) {
        parts.merge(
            part(finding, devices),
            finding.finding().severity(),
            (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
    }
    List<@Nullable Object> row = new ArrayList<>();
    row.add(node.name());
    row.add(node.description().map(it -> it.place()).orElse(null));
    row.add(layout);
    row.add(node.service().word());
    row.add(node.silentSince().map(Times::show).orElse(null));
    row.add(parts.values().stream().max(Severity::compareTo).map(Severity::word).orElse(null));
    row.add(state.jobOn(node.name()).map(JobView::id).orElse(null));
    Map<String, Object> words = new LinkedHashMap<>();
    parts.forEach((part, severity) -> words.put(part, severity.word()));
    row.add(words);
    return row;
  }

  private boolean counts(FindingView finding) {
    return finding.holds()
        || (finding.cleared().isEmpty()
            && state.incident(finding.incident()).map(IncidentView::open).orElse(false));
  }

  /** The device it is about; empty: the node itself or something that is no device of it. */
  private static String part(FindingView finding, List<String> devices) {
    if (finding.finding().subject() instanceof Subject.Part part) {
      String path = String.join("/", part.path());
      for (String device : devices) {
        if (path.equals(device) || path.startsWith(device + "/")) {
          return device;
        }
      }
    }
    return "";
  }
}
