package dev.holdfast.core.cluster;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself when it begins to report and when that changes.
 *
 * @param node its short name
 * @param agent the version of the agent
 * @param place what it shares with others, by kind: {@code rack}, {@code leaf}, {@code power},
 *     {@code volume}
 * @param versions software that may be the common cause of faults: {@code driver}, {@code kernel}
 * @param confirms whether its agent says itself which jobs are there, so that what others say of
 *     that need not be believed; those of before did not
 */
public record NodeDescription(
    String node,
    String agent,
    SortedMap<String, String> place,
    SortedMap<String, String> versions,
    List<DeviceDescription> devices,
    boolean confirms) {

  private static final Pattern KIND = Pattern.compile("[A-Za-z0-9._-]+");

  public NodeDescription {
    place = named(place);
    versions = named(versions);
    devices = List.copyOf(devices);
  }

  public NodeDescription(
      String node,
      String agent,
      SortedMap<String, String> place,
      SortedMap<String, String> versions,
      List<DeviceDescription> devices) {
    this(node, agent, place, versions, devices, false);
  }

  /** The same node with an agent that says itself which jobs are there. */
  public NodeDescription confirming() {
    return new NodeDescription(node, agent, place, versions, devices, true);
  }

  /** What has no name is not shared with anybody. */
  private static SortedMap<String, String> named(SortedMap<String, String> map) {
    TreeMap<String, String> named = new TreeMap<>(map);
    named
        .entrySet()
        .removeIf(it -> it.getValue().isBlank() || !KIND.matcher(it.getKey()).matches());
    return Collections.unmodifiableSortedMap(named);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "node",
        node,
        "agent",
        agent,
        "place",
        place,
        "versions",
        versions,
        "devices",
        devices.stream().map(DeviceDescription::json).toList(),
        "confirms",
        confirms ? true : null);
  }

  public static NodeDescription of(Fields fields) {
    return new NodeDescription(
        fields.text("node"),
        fields.text("agent", ""),
        new TreeMap<>(fields.textMap("place")),
        new TreeMap<>(fields.textMap("versions")),
        fields.objects("devices").stream().map(DeviceDescription::of).toList(),
        fields.flag("confirms"));
  }
}
