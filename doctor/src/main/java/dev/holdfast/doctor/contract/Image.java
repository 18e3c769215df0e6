package dev.holdfast.doctor.contract;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The examined image as the {@code image} probe describes it.
 *
 * @param programs name to path, for those found on the PATH
 * @param first the first words of PID 1's command line
 */
record Image(Map<String, Place> places, Map<String, String> programs, List<String> first) {
  /**
   * A path of the image.
   *
   * @param kind directory, file, other, hidden or absent
   */
  record Place(String kind, String mode, String owner, boolean writable) {
    boolean isThere() {
      return !kind.equals("absent");
    }
  }

  Image {
    places = Map.copyOf(places);
    programs = Map.copyOf(programs);
    first = List.copyOf(first);
  }

  static Image of(NodeView node) {
    Map<String, Place> places = new HashMap<>();
    Map<String, String> programs = new HashMap<>();
    List<String> first = new ArrayList<>();
    for (String line : node.requireProbe("image").split("\n")) {
      String[] fields = line.split("\t", -1);
      switch (fields[0]) {
        case "path" -> {
          if (fields.length == 6) {
            boolean writable = fields[5].equals("writable");
            places.put(fields[1], new Place(fields[2], fields[3], fields[4], writable));
          }
        }
        case "program" -> {
          if (fields.length == 3 && !fields[2].isEmpty()) {
            programs.put(fields[1], fields[2]);
          }
        }
        case "first" ->
            List.of(fields).stream().skip(1).filter(word -> !word.isEmpty()).forEach(first::add);
        default -> {}
      }
    }
    return new Image(places, programs, first);
  }

  Place place(String path) {
    return places.getOrDefault(path, new Place("absent", "0", "", false));
  }

  Optional<String> program(String name) {
    return Optional.ofNullable(programs.get(name));
  }
}
