package dev.holdfast.cli.command;

import dev.holdfast.bench.net.JoinedNodes;
import dev.holdfast.bench.net.JoiningNode;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.Rendezvous;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.cli.console.Console;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** Where ranks are: on this machine, on hosts that we reach, or on nodes that come to us. */
final class RanksChoice {
  /** Schedulers do not start all nodes at once. */
  private static final double MEETING_SECONDS = 120;

  private static final int COULD_NOT_RUN = 3;

  private final Map<String, String> environment;

  @Mixin private HostsChoice hosts = new HostsChoice();
  @Mixin private RendezvousChoice rendezvous = new RendezvousChoice();

  RanksChoice() {
    this(System.getenv());
  }

  RanksChoice(Map<String, String> environment) {
    this.environment = environment;
  }

  /** What is done with the ranks; the exit code. */
  interface Work {
    int run(RankSite site) throws IOException;
  }

  /** Ranks that were counted and placed. */
  record Placed(int ranks, List<String> hosts) {
    /**
     * Complains where somebody who named a host and no number gets a rank that has nobody to talk
     * to.
     */
    void requireTwo(@Nullable Integer wanted) {
      if (wanted == null && hosts.size() == 1) {
        throw new IllegalArgumentException(
            "one host with one slot makes one rank, and two are needed: name more hosts, or write"
                + " --hosts %s:2".formatted(hosts.getFirst()));
      }
    }
  }

  /**
   * How many ranks there are, and where.
   *
   * @param wanted none: as many as hosts have room for
   * @param here how many there are on this machine when nobody says
   * @param two exactly two are needed, best on two hosts
   */
  Placed place(@Nullable Integer wanted, int here, boolean two) {
    if (wanted != null) {
      requireSome(wanted);
    }
    if (rendezvous.given()) {
      if (hosts.given()) {
        throw new IllegalArgumentException("--rdzv, or hosts to start ranks on, not both");
      }
      int nodes = rendezvous.nodes(environment);
      int ranks = wanted == null ? nodes : wanted;
      if (nodes < 1 || ranks % nodes != 0) {
        throw new IllegalArgumentException(
            "--ranks %d is not the same number on each of %d nodes".formatted(ranks, nodes));
      }
      return new Placed(ranks, List.of());
    }
    List<String> places =
        two && hosts.given() && (wanted == null || wanted == 2)
            ? hosts.two(environment)
            : hosts.places(wanted == null ? 0 : wanted, environment);
    return new Placed(places.isEmpty() ? wanted == null ? here : wanted : places.size(), places);
  }

  /** Ranks that are none would be taken for others that nobody named. */
  static void requireSome(int ranks) {
    if (ranks < 1) {
      throw new IllegalArgumentException(
          "--ranks: they count from 2, with nccl from 1, not " + ranks);
    }
  }

  /**
   * A rank for each card of each host where cards are named, and of a node of Slurm in any case:
   * its tasks say nothing of its cards. Else as they are placed anyway.
   */
  Placed placeForEachCard(@Nullable Integer wanted) {
    boolean cards = wanted == null && hosts.given() && hosts.networks().size() > 1;
    if (rendezvous.given() || !cards && !hosts.ofSlurm()) {
      return place(wanted, 2, false);
    }
    List<String> places = hosts.forEachCard(wanted == null ? 0 : wanted, environment);
    return new Placed(places.size(), places);
  }

  /** Whether hosts were named, or nodes come. */
  boolean elsewhere() {
    return hosts.given() || rendezvous.given();
  }

  Transport transport(String word, int ranks) {
    return HostsChoice.transport(word, ranks, elsewhere());
  }

  /**
   * Does the work where the ranks are, or takes part in what another node does.
   *
   * @param plan in words; nodes that mean another one are refused
   */
  int lead(Console console, Placed placed, String plan, double timeout, Work work)
      throws IOException {
    if (!rendezvous.given()) {
      RankSite site = hosts.site(placed.hosts(), environment);
      return Interruptible.run(console, () -> work.run(site));
    }
    Rendezvous meeting = rendezvous.of(plan, NetMeasuring.host(), timeout, environment);
    meeting.requireToken();
    ServerSocket listener = meeting.node() > 0 ? null : JoinedNodes.listen(meeting);
    if (listener == null && meeting.node() == 0) {
      throw new IOException(
          "node 0 cannot listen at %s:%d: the address is not of this machine, or the port is taken"
              .formatted(meeting.host(), meeting.port()));
    }
    if (listener == null) {
      console.message(
          "waiting for node 0 at %s:%d, %.0f s at most"
              .formatted(meeting.host(), meeting.port(), MEETING_SECONDS));
      return JoiningNode.run(
          meeting,
          MEETING_SECONDS,
          node ->
              console.message(
                  "node %d of %d; %s:%d leads and prints"
                      .formatted(node, meeting.nodes(), meeting.host(), meeting.port())));
    }
    try (JoinedNodes site =
        JoinedNodes.gather(
            meeting,
            listener,
            placed.ranks(),
            hosts.networks(),
            MEETING_SECONDS,
            here -> console.message(present(meeting, here)))) {
      int code = COULD_NOT_RUN;
      try {
        code = Interruptible.run(console, () -> work.run(site));
      } finally {
        site.finish(code);
      }
      return code;
    }
  }

  private static String present(Rendezvous meeting, int here) {
    return here == meeting.nodes()
        ? "all %d nodes are here".formatted(here)
        : "%d of %d nodes %s here; waiting for the others at %s:%d, %.0f s at most in all"
            .formatted(
                here,
                meeting.nodes(),
                here == 1 ? "is" : "are",
                meeting.host(),
                meeting.port(),
                MEETING_SECONDS);
  }

  /** The hosts a run was made on, for the record. */
  static List<String> hosts(RankSite site) {
    return site.remote() ? HostsChoice.distinct(site.hosts()) : List.of(NetMeasuring.host());
  }
}
