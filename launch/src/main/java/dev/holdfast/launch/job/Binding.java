package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranks of this node run.
 *
 * @param policy {@code numa}, {@code rail} or {@code none}
 * @param places by local rank; empty: nobody is bound
 * @param notes what an operator should know of it
 */
public record Binding(String policy, List<Place> places, List<String> notes) {
  public Binding {
    places = List.copyOf(places);
    notes = List.copyOf(notes);
  }

  /**
   * One rank's place.
   *
   * @param cpus as a list ({@code 0-3,8}); empty: anywhere
   * @param memory NUMA nodes near it; empty: no preference
   * @param devices its GPUs, empty: not chosen
   * @param adapters its network adapters, empty: not chosen
   * @param environment set unless the user has set it
   */
  public record Place(
      String cpus,
      String memory,
      String devices,
      String adapters,
      Map<String, String> environment) {
    public static final Place ANYWHERE = new Place("", "", "", "", Map.of());

    public Place {
      environment = Map.copyOf(environment);
    }
  }

  public static Binding none(String... notes) {
    return new Binding("none", List.of(), List.of(notes));
  }

  public Place place(int localRank) {
    return localRank < places.size() ? places.get(localRank) : Place.ANYWHERE;
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "policy",
        policy,
        "places",
        places.stream()
            .map(
                place ->
                    Json.map(
                        "cpus",
                        place.cpus,
                        "memory",
                        place.memory,
                        "devices",
                        place.devices,
                        "adapters",
                        place.adapters,
                        "environment",
                        place.environment))
            .toList(),
        "notes",
        notes);
  }

  public static Binding of(Fields fields) {
    List<Place> places =
        fields.objects("places").stream()
            .map(
                place ->
                    new Place(
                        place.text("cpus"),
                        place.text("memory"),
                        place.text("devices"),
                        place.text("adapters"),
                        place.textMap("environment")))
            .toList();
    return new Binding(fields.text("policy"), places, fields.texts("notes"));
  }
}
