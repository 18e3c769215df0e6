package dev.holdfast.launch.platform;

import dev.holdfast.core.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What one platform tells, collected piece by piece; what it does not tell stays empty. */
final class Sighting {
  final String name;
  Optional<String> job = Optional.empty();
  String run = "";
  Optional<String> node = Optional.empty();
  Optional<Claim> rank = Optional.empty();
  Optional<Claim> count = Optional.empty();
  List<String> nodes = List.of();
  Optional<String> host = Optional.empty();
  OptionalInt port = OptionalInt.empty();
  Optional<Claim> processes = Optional.empty();
  Optional<String> address = Optional.empty();
  Optional<Duration> grace = Optional.empty();
  List<String> failureFiles = List.of();
  Map<String, String> environment = Map.of();
  List<String> program = List.of();
  final List<Trouble> troubles = new ArrayList<>();
  final List<String> notes = new ArrayList<>();

  Sighting(String name) {
    this.name = name;
  }

  /** The nodes in order; the first is where launchers meet. */
  void nodes(List<String> inOrder, String source) {
    nodes = inOrder;
    host = inOrder.stream().findFirst();
    if (count.isEmpty()) {
      count = Optional.of(new Claim("number of " + source, inOrder.size()));
    } else if (count.get().value() != inOrder.size()) {
      troubles.add(
          new Trouble(
              Trait.COUNT,
              ErrorCode.CONTRADICTION,
              "%s, but %s names %d nodes".formatted(count.get(), source, inOrder.size())));
    }
  }

  /** The platform started us more than once on this node. */
  void perRank(String what) {
    troubles.add(
        new Trouble(
            Trait.PROCESSES,
            ErrorCode.LAUNCHED_PER_RANK,
            what + ", and each launcher would start ranks of its own"));
  }
}
