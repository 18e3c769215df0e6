package dev.holdfast.core.topology;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a source says about pairs of devices by their names, with the count of NVLinks. */
public final class Links {
  public static final Links NONE = new Links(Map.of());

  private final Map<Pair, Lane> lanes;

  /** Two names, whichever comes first. */
  private record Pair(String one, String other) {
    Pair {
      if (one.compareTo(other) > 0) {
        String swapped = one;
        one = other;
        other = swapped;
      }
    }
  }

  /**
   * What lies between the two.
   *
   * @param count of bonded NVLinks; 0 for anything else
   */
  private record Lane(Link link, int count) {}

  private Links(Map<Pair, Lane> lanes) {
    this.lanes = Map.copyOf(lanes);
  }

  public static Builder builder() {
    return new Builder();
  }

  public Optional<Link> between(Device one, Device other) {
    return one.name().equals(other.name())
        ? Optional.of(Link.SELF)
        : Optional.ofNullable(lanes.get(new Pair(one.name(), other.name()))).map(Lane::link);
  }

  /** How many NVLinks connect the two; 0 when none is known. */
  public int nvlinks(Device one, Device other) {
    Lane lane = lanes.get(new Pair(one.name(), other.name()));
    return lane == null ? 0 : lane.count();
  }

  public boolean isEmpty() {
    return lanes.isEmpty();
  }

  /** Collects pairs; of two statements about a pair the nearer one holds. */
  public static final class Builder {
    private final Map<Pair, Lane> lanes = new HashMap<>();

    public Builder add(String one, String other, Link link, int nvlinks) {
      lanes.merge(
          new Pair(one, other),
          new Lane(link, nvlinks),
          (old, fresh) -> old.link().compareTo(fresh.link()) <= 0 ? old : fresh);
      return this;
    }

    public Links build() {
      return lanes.isEmpty() ? NONE : new Links(lanes);
    }
  }
}
