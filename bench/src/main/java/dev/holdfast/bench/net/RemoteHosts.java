package dev.holdfast.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Ranks on other hosts, started there through a remote shell. */
public final class RemoteHosts implements RankSite {
  private static final int NOT_RUNNABLE = 126;
  private static final int NOT_FOUND = 127;
  static final int SSH_FAILED = 255;

  private final List<String> hosts;
  private final RemoteShell shell;
  private final List<String> program;
  private final String address;
  private final List<String> networks;

  /**
   * @param hosts of each rank
   * @param program how a rank is started over there; empty: as it would be here
   * @param address where ranks reach this process; empty: the one traffic to them leaves from
   * @param networks see {@link RankSite#networks}
   */
  public RemoteHosts(
      List<String> hosts,
      RemoteShell shell,
      List<String> program,
      String address,
      List<String> networks) {
    this.hosts = List.copyOf(hosts);
    this.shell = shell;
    this.program = List.copyOf(program.isEmpty() ? ThisMachine.program() : program);
    this.address = address;
    this.networks = List.copyOf(networks);
  }

  @Override
  public RankRun start(int rank, String settings) throws IOException {
    return ChildRank.start(shell.command(hosts.get(rank), program), settings);
  }

  @Override
  public InetAddress address() throws IOException {
    if (!address.isEmpty()) {
      return InetAddress.getByName(address);
    }
    if (!networks.isEmpty()) {
      try {
        return NetAddress.of(networks.getFirst());
      } catch (IOException notHere) {
        // This machine need not have the card whose speed is measured.
      }
    }
    Optional<InetAddress> fallback = Optional.empty();
    for (String host : hosts.stream().distinct().toList()) {
      Optional<InetAddress> own = NetAddress.towards(host);
      if (own.isPresent() && !own.get().isLoopbackAddress()) {
        return own.get();
      }
      fallback = fallback.or(() -> own);
    }
    return fallback.orElseThrow(
        () ->
            new IOException(
                "none of the hosts (%s) has an address known here, so it cannot be told where they"
                        .formatted(String.join(", ", hosts.stream().distinct().limit(4).toList()))
                    + " reach this machine: give --address"));
  }

  @Override
  public List<String> networks() {
    return networks;
  }

  @Override
  public List<String> hosts() {
    return hosts;
  }

  @Override
  public String advice(int rank, int code) {
    String host = hosts.get(rank);
    return switch (code) {
      case NOT_RUNNABLE, NOT_FOUND ->
          "%s has no %s: install the same holdfast there, or name it with --remote-program"
              .formatted(host, program.getFirst());
      case SSH_FAILED ->
          "try `%s true` by hand: it must work without a question"
              .formatted(String.join(" ", shell.command(host, List.of())));
      default -> "";
    };
  }
}
