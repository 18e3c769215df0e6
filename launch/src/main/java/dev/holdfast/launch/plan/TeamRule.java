package dev.holdfast.launch.plan;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.launch.job.ArbiterPlace;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.platform.Platform;
import dev.holdfast.launch.platform.Trait;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which nodes make up the job, where they meet, and which of them is this one. */
record TeamRule(Choices choices, Platform platform, Workplace here) {
  private static final int MOST_NODES = 100_000;
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(?::([0-9]{1,6}))?");

  private record Nodes(int least, int most) {}

  boolean standalone() {
    return choices.flag("standalone");
  }

  /** Where this node stands; unknown: the platform does not say. */
  OptionalInt rank() {
    OptionalInt chosen = choices.number("node-rank", 0, MOST_NODES);
    if (chosen.isPresent() || standalone()) {
      return chosen;
    }
    platform.require(Trait.RANK);
    return platform.nodeRank();
  }

  Team team() {
    int spares = choices.number("spares", 0, MOST_NODES).orElse(0);
    Nodes nodes = nodes(spares);
    List<String> excluded =
        choices.all("exclude").stream()
            .flatMap(value -> Hostlist.expand(value.value()).stream())
            .toList();
    if (nodes.most == 1 && spares == 0) {
      return new Team(1, 1, 0, excluded, List.of(), "localhost", 0, true);
    }
    Endpoint endpoint = endpoint();
    OptionalInt rank = rank();
    boolean here = this.here.isHere().test(endpoint.host());
    boolean hosted = choices.has("rdzv-endpoint") || rank.isEmpty() ? here : rank.getAsInt() == 0;
    return new Team(
        nodes.least,
        nodes.most,
        spares,
        excluded,
        platform.nodes(),
        endpoint.host(),
        endpoint.port().orElse(Endpoint.DEFAULT_PORT),
        hosted,
        arbiter());
  }

  private Optional<ArbiterPlace> arbiter() {
    String tokenFile =
        choices
            .one("token-file")
            .map(file -> here.folder().resolve(file.value()).toString())
            .orElse("");
    return choices.one("arbiter").map(given -> given.as(text -> arbiter(text, tokenFile)));
  }

  private static ArbiterPlace arbiter(String text, String tokenFile) {
    Endpoint place = Endpoint.parse(text);
    if (place.port().isEmpty()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no HOST:PORT: give the port the store is managed at (its --manage)");
    }
    return new ArbiterPlace(place.host(), place.port().getAsInt(), tokenFile);
  }

  private Nodes nodes(int spares) {
    if (standalone()) {
      return new Nodes(1, 1);
    }
    if (choices.has("nnodes")) {
      return choices.one("nnodes").orElseThrow().as(TeamRule::nodes);
    }
    platform.require(Trait.COUNT);
    int all = platform.nodeCount().orElse(1);
    if (spares > 0 && spares >= all) {
      throw choices
          .one("spares")
          .orElseThrow()
          .wrong("%d spares leave none of %d nodes to run on".formatted(spares, all));
    }
    return new Nodes(all - spares, all - spares);
  }

  private static Nodes nodes(String text) {
    Matcher range = RANGE.matcher(text);
    if (range.matches()) {
      int least = Integer.parseInt(range.group(1));
      String upper = range.group(2);
      int most = upper == null ? least : Integer.parseInt(upper);
      if (least >= 1 && most >= least && most <= MOST_NODES) {
        return new Nodes(least, most);
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no number of nodes: write 4, or MIN:MAX such as 3:4");
  }

  private Endpoint endpoint() {
    if (choices.has("rdzv-endpoint")) {
      return choices.one("rdzv-endpoint").orElseThrow().as(Endpoint::parse);
    }
    if (choices.has("master-addr")) {
      return new Endpoint(choices.text("master-addr", ""), choices.number("master-port", 1, 65535));
    }
    if (platform.host().isPresent()) {
      return new Endpoint(platform.host().get(), platform.port());
    }
    throw new HoldfastException(
        ErrorCode.WRONG_USAGE,
        "several nodes need a place to meet: give --rdzv-endpoint HOST[:PORT], the same on each node");
  }
}
