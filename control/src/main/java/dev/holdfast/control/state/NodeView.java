package dev.holdfast.control.state;

import dev.holdfast.control.entry.Service;
import dev.holdfast.core.cluster.NodeDescription;
import java.time.Instant;
import java.util.Optional;

/**
 * A node as it is known now.
 *
 * @param first when it was first heard of
 * @param description none until it has said what it is
 * @param silentSince nothing was heard of it since then
 * @param incident why it is not in service, empty: no incident
 * @param actor who moved it to where it is
 * @param incidents how many it has had, for the list of repeat offenders
 * @param scheduling who places jobs on it and how it is to that one, none: not known
 * @param confirms since when its agent says itself which jobs are there, none: it does not
 */
public record NodeView(
    String name,
    Instant first,
    Optional<NodeDescription> description,
    Optional<Instant> silentSince,
    Service service,
    Instant serviceSince,
    String incident,
    String actor,
    String why,
    int incidents,
    Optional<Scheduling> scheduling,
    Optional<Instant> confirms) {

  static NodeView unknown(String name, Instant at) {
    return new NodeView(
        name,
        at,
        Optional.empty(),
        Optional.empty(),
        Service.IN,
        at,
        "",
        ClusterState.SELF,
        "",
        0,
        Optional.empty(),
        Optional.empty());
  }

  public String place(String kind) {
    return description.map(it -> it.place().getOrDefault(kind, "")).orElse("");
  }

  public int devices() {
    return description.map(it -> it.devices().size()).orElse(0);
  }

  NodeView described(NodeDescription node, Instant at) {
    return new NodeView(
        name,
        first,
        Optional.of(node),
        silentSince,
        service,
        serviceSince,
        incident,
        actor,
        why,
        incidents,
        scheduling,
        node.confirms() ? confirms.or(() -> Optional.of(at)) : Optional.empty());
  }

  NodeView silent(Optional<Instant> since) {
    return new NodeView(
        name,
        first,
        description,
        since,
        service,
        serviceSince,
        incident,
        actor,
        why,
        incidents,
        scheduling,
        confirms);
  }

  NodeView moved(Service to, Instant at, String incident, String actor, String why) {
    return new NodeView(
        name,
        first,
        description,
        silentSince,
        to,
        at,
        incident,
        actor,
        why,
        incidents,
        scheduling,
        confirms);
  }

  NodeView oneMoreIncident() {
    return new NodeView(
        name,
        first,
        description,
        silentSince,
        service,
        serviceSince,
        incident,
        actor,
        why,
        incidents + 1,
        scheduling,
        confirms);
  }

  NodeView scheduled(Scheduling now) {
    return new NodeView(
        name,
        first,
        description,
        silentSince,
        service,
        serviceSince,
        incident,
        actor,
        why,
        incidents,
        Optional.of(now),
        confirms);
  }

  /** Who keeps jobs away from it and lets them back: its scheduler, else its agent. */
  public String doorkeeper() {
    return scheduling.map(Scheduling::scheduler).orElse("node/" + name);
  }
}
