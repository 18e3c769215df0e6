package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.Layout.Team;
import java.util.List;

/**
 * One call of a rank.
 *
 * @param what such as all_reduce; send and recv name their peer
 * @param peer the other one of a transfer, −1 for a collective
 */
record Step(Team team, String what, int peer, List<Integer> in, List<Integer> out, String type) {
  boolean transfer() {
    return peer >= 0;
  }

  Step as(String otherWhat, List<Integer> otherIn, String otherType) {
    return new Step(team, otherWhat, peer, otherIn, otherIn, otherType);
  }

  /** Whether a peer that calls the other one here would be satisfied. */
  boolean fits(Step other) {
    if (transfer()) {
      return in.equals(other.in) && type.equals(other.type);
    }
    boolean free = what.equals("all_to_all");
    return what.equals(other.what) && (free || in.equals(other.in) && type.equals(other.type));
  }

  String name(int self) {
    if (!transfer()) {
      return "nccl:" + what;
    }
    int own = team.ranks().indexOf(self);
    int far = team.ranks().indexOf(peer);
    return "nccl:" + what + " " + own + (what.equals("send") ? "->" : "<-") + far;
  }
}
