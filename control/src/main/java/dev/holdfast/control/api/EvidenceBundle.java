package dev.holdfast.control.api;

import dev.holdfast.control.engine.Engine;
import dev.holdfast.control.evidence.Notary;
import dev.holdfast.control.state.ClusterState;
import dev.holdfast.control.state.FindingView;
import dev.holdfast.control.state.IncidentView;
import dev.holdfast.core.archive.ArchiveKind;
import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.Seal;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Secrets;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything known of one incident in one signed archive, for a vendor, an auditor or the next
 * shift. What opens a door is blanked in every text of it.
 */
public final class EvidenceBundle {
  public static final ArchiveKind KIND = new ArchiveKind("evidence", 1);

  private static final String README =
      """
      Evidence of one incident, made by the control plane of Holdfast.

      incident.json    what happened: cause, findings, decisions with reasons, notes
      findings.txt     what each finding rests on: lines of logs, values that were read
      decisions.json   every decision with what else was weighed, and what came of its actions
      nodes/           the nodes it touched, as they described themselves
      journal.jsonl    the entries of the journal that concern it, in order
      policy.yaml      the rules in force, where the journal has them
      versions.json    of Holdfast, its agents, drivers and kernels
      manifest.json    the SHA-256 of each file; signature.json: Ed25519 over all of them

      holdfast evidence verify FILE      checks every byte and the signature
      """;

  private final ClusterState state;
  private final Engine engine;
  private final Notary notary;

  EvidenceBundle(Engine engine, Notary notary) {
    this.state = engine.state();
    this.engine = engine;
    this.notary = notary;
  }

  byte[] of(IncidentView incident, Instant now) throws IOException {
    List<String> nodes =
        incident.findings().stream()
            .map(it -> it.node())
            .filter(it -> !it.isEmpty())
            .distinct()
            .toList();
    Map<String, byte[]> members = new TreeMap<>();
    members.put("README.txt", bytes(README));
    members.put(
        "incident.json", json("holdfast.incident/1", StateJson.incidentWhole(state, incident)));
    members.put("findings.txt", bytes(Secrets.blank(findings(incident))));
    members.put(
        "decisions.json",
        json(
            "holdfast.decisions/1",
            Json.map(
                "decisions",
                incident.decisions().stream()
                    .flatMap(it -> state.decision(it).stream())
                    .map(it -> StateJson.decision(state, it))
                    .toList())));
    for (String node : nodes) {
      state
          .node(node)
          .ifPresent(
              it ->
                  members.put(
                      "nodes/" + node.replaceAll("[^A-Za-z0-9._-]", "_") + ".json",
                      json("holdfast.node/1", StateJson.nodeWhole(state, it))));
    }
    members.put("versions.json", json("holdfast.versions/1", versions(nodes)));
    state.policy().ifPresent(it -> members.put("policy.yaml", bytes(Secrets.blank(it))));
    members.put(
        "journal.jsonl", bytes(new JournalSlice(engine, state, incident, nodes).lines(now)));
    return Seal.write(KIND, now, notary.tool(), members, ArchiveLimits.DEFAULT, notary.keys());
  }

  private String findings(IncidentView incident) {
    StringBuilder text = new StringBuilder();
    for (FindingView view :
        incident.findings().stream().flatMap(it -> state.finding(it).stream()).toList()) {
      text.append(Times.show(view.first())).append("  ").append(view.finding().subject());
      text.append("  ").append(view.finding().check()).append("  ");
      text.append(view.finding().severity().word()).append('\n');
      text.append("    ").append(view.finding().summary()).append('\n');
      for (Evidence item : view.finding().evidence()) {
        item.value()
            .lines()
            .forEach(
                line ->
                    text.append("    ")
                        .append(item.source())
                        .append(": ")
                        .append(line)
                        .append('\n'));
      }
    }
    return text.toString();
  }

  private Map<String, @Nullable Object> versions(List<String> nodes) {
    Map<String, @Nullable Object> byNode = new LinkedHashMap<>();
    for (String node : nodes) {
      state
          .node(node)
          .flatMap(it -> it.description())
          .ifPresent(
              it -> byNode.put(node, Json.map("agent", it.agent(), "versions", it.versions())));
    }
    return Json.map(
        "controlPlane", notary.tool(), "java", Runtime.version().toString(), "nodes", byNode);
  }

  private static byte[] json(String schema, Map<String, @Nullable Object> tree) {
    Map<String, @Nullable Object> whole = new LinkedHashMap<>();
    whole.put("schema", schema);
    whole.putAll(tree);
    return bytes(Json.pretty(blanked(whole)));
  }

  /** The same tree with its texts blanked; names of fields stay. */
  static @Nullable Object blanked(@Nullable Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> copy.put(String.valueOf(name), blanked(value)));
        yield copy;
      }
      case Iterable<?> list -> {
        List<@Nullable Object> copy = new ArrayList<>();
        list.forEach(it -> copy.add(blanked(it)));
        yield copy;
      }
      case String text -> Secrets.blank(text);
      case null, default -> tree;
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
