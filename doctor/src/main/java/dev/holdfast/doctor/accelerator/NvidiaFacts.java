package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.file.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What NVML said, as the flat text of the {@code nvml} probe: {@code key=value} a line, {@code
 * key!=REASON} where a call was refused.
 *
 * @param node facts without a device, such as {@code driver.version}
 * @param why the reason when there is no library or no device
 */
public record NvidiaFacts(Map<String, String> node, List<Accelerator> devices, String why) {
  static final NvidiaFacts NONE = new NvidiaFacts(Map.of(), List.of(), "not read");
  private static final int MAX_DEVICES = 256;

  public NvidiaFacts {
    node = Map.copyOf(node);
    devices = List.copyOf(devices);
  }

  static NvidiaFacts read(NodeView view) {
    Reading reading = view.probe("nvml");
    return reading
        .text()
        .map(text -> parse(view.name(), text))
        .orElseGet(() -> new NvidiaFacts(Map.of(), List.of(), reading.why()));
  }

  static NvidiaFacts parse(String nodeName, String text) {
    Map<String, String> node = new HashMap<>();
    Map<Integer, Map<String, String>> devices = new TreeMap<>();
    for (String line : text.split("\n")) {
      int equals = line.indexOf('=');
      if (equals <= 0) {
        continue;
      }
      String key = line.substring(0, equals).strip();
      String value = line.substring(equals + 1).strip();
      int dot = key.startsWith("gpu.") ? key.indexOf('.', 4) : -1;
      int index = dot < 0 ? -1 : index(key.substring(4, dot));
      if (index >= 0) {
        devices.computeIfAbsent(index, _ -> new HashMap<>()).put(key.substring(dot + 1), value);
      } else {
        node.put(key, value);
      }
    }
    List<Accelerator> list = new ArrayList<>();
    devices.forEach(
        (index, facts) ->
            list.add(new Accelerator(nodeName, index, "nvidia", facts, "nvml gpu." + index + ".")));
    String why =
        node.getOrDefault("library.error", "the NVIDIA driver reports no GPU on this node");
    return new NvidiaFacts(node, list, why);
  }

  private static int index(String digits) {
    try {
      int index = Integer.parseInt(digits);
      return index < MAX_DEVICES ? index : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  public boolean libraryPresent() {
    return "true".equals(node.get("library.present"));
  }

  public Optional<String> fact(String name) {
    return Optional.ofNullable(node.get(name));
  }
}
