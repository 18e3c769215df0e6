package dev.holdfast.core.topology;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a source says about pairs of devices by their names, with the count of NVLinks. */
public final class Links {
  public static final Links NONE = new Links(Map.of());

  /**
   * By the name that comes first, then by the other. Not by a record of both: the hashes of pairs
   * such as GPU17 and GPU204 are nearly all alike, and five hundred devices took half a minute.
   */
  private final Map<String, Map<String, Lane>> lanes;

  /**
   * What lies between the two.
   *
   * @param count of bonded NVLinks; 0 for anything else
   */
  private record Lane(Link link, int count) {}

  private Links(Map<String, Map<String, Lane>> lanes) {
    this.lanes = new HashMap<>();
    lanes.forEach((first, others) -> this.lanes.put(first, new HashMap<>(others)));
  }

  public static Builder builder() {
    return new Builder();
  }

  public Optional<Link> between(Device one, Device other) {
    return one.name().equals(other.name())
        ? Optional.of(Link.SELF)
        : lane(one, other).map(Lane::link);
  }

  /** How many NVLinks connect the two; 0 when none is known. */
  public int nvlinks(Device one, Device other) {
    return lane(one, other).map(Lane::count).orElse(0);
  }

  private Optional<Lane> lane(Device one, Device other) {
    boolean ordered = one.name().compareTo(other.name()) <= 0;
    Map<String, Lane> others = lanes.getOrDefault((ordered ? one : other).name(), Map.of());
    return Optional.ofNullable(others.get((ordered ? other : one).name()));
  }

  public boolean isEmpty() {
    return lanes.isEmpty();
  }

  /** Collects pairs; of two statements about a pair the nearer one holds. */
  public static final class Builder {
    private final Map<String, Map<String, Lane>> lanes = new HashMap<>();

    public Builder add(String one, String other, Link link, int nvlinks) {
      boolean ordered = one.compareTo(other) <= 0;
      lanes
          .computeIfAbsent(ordered ? one : other, _ -> new HashMap<>())
          .merge(
              ordered ? other : one,
              new Lane(link, nvlinks),
              (old, fresh) -> old.link().compareTo(fresh.link()) <= 0 ? old : fresh);
      return this;
    }

    public Links build() {
      return lanes.isEmpty() ? NONE : new Links(lanes);
    }
  }
}
