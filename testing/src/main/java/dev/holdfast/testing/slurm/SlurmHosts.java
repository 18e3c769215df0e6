package dev.holdfast.testing.slurm;

import dev.holdfast.testing.Tools;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the daemons live: all on the loopback, or each in a network namespace of its own behind a
 * switch, which is a namespace, too. Nothing of it touches the network of the machine.
 */
final class SlurmHosts implements AutoCloseable {
  private static final String NETWORK = "10.77.0.";
  private static final int CONTROLLER = 254;

  private final String ip;
  private final String prefix;
  private final List<String> made = new ArrayList<>();

  private SlurmHosts(String ip, String prefix) {
    this.ip = ip;
    this.prefix = prefix;
  }

  static SlurmHosts loopback() {
    return new SlurmHosts("", "");
  }

  static SlurmHosts namespaces(int nodes) {
    SlurmHosts hosts =
        new SlurmHosts(
            Tools.require("ip", "iproute2").toString(),
            "hfs%d-%d-".formatted(ProcessHandle.current().pid(), System.nanoTime() % 100_000));
    try {
      hosts.build(nodes);
      return hosts;
    } catch (Throwable incomplete) {
      hosts.close();
      throw incomplete;
    }
  }

  private void build(int nodes) {
    String hub = hub();
    Said first = Said.by(List.of(ip, "netns", "add", hub));
    Tools.require(first.succeeded(), "needs the right to make network namespaces: " + first.text());
    made.add(hub);
    ip("-n", hub, "link", "add", "switch", "type", "bridge");
    ip("-n", hub, "address", "add", NETWORK + CONTROLLER + "/24", "dev", "switch");
    ip("-n", hub, "link", "set", "switch", "up");
    ip("-n", hub, "link", "set", "lo", "up");
    for (int node = 1; node <= nodes; node++) {
      String host = prefix + "n" + node;
      ip("netns", "add", host);
      made.add(host);
      ip(
          ("-n %s link add n%d type veth peer name eth0 netns %s".formatted(hub, node, host))
              .split(" "));
      ip("-n", hub, "link", "set", "n" + node, "master", "switch", "up");
      ip("-n", host, "address", "add", NETWORK + node + "/24", "dev", "eth0");
      ip("-n", host, "link", "set", "eth0", "up");
      ip("-n", host, "link", "set", "lo", "up");
    }
  }

  boolean separate() {
    return !prefix.isEmpty();
  }

  String address(int node) {
    return separate() ? NETWORK + node : "127.0.0.1";
  }

  String controllerAddress() {
    return address(CONTROLLER);
  }

  /** The words that run a command where the controller and the clients are. */
  List<String> atController() {
    return separate() ? enter(hub()) : List.of();
  }

  /** The words that run a command on a node; not {@code ip netns exec}, which hides /sys. */
  List<String> at(int node) {
    return separate() ? enter(prefix + "n" + node) : List.of();
  }

  private static List<String> enter(String namespace) {
    return List.of("nsenter", "--net=/run/netns/" + namespace);
  }

  void cable(int node, boolean plugged) {
    if (!separate()) {
      throw new IllegalStateException("nodes share the loopback: plan them onOwnHosts()");
    }
    ip("-n", hub(), "link", "set", "n" + node, plugged ? "up" : "down");
  }

  private String hub() {
    return prefix + "hub";
  }

  private void ip(String... arguments) {
    List<String> words = new ArrayList<>(List.of(ip));
    words.addAll(List.of(arguments));
    Said.by(words).orFail();
  }

  @Override
  public void close() {
    made.reversed().forEach(it -> Said.by(List.of(ip, "netns", "delete", it)));
    made.clear();
  }
}
