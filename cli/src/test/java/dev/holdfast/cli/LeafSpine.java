package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Hosts n1, n2, … in network namespaces, two under each leaf, leaves joined by a spine: real
 * sockets over links whose rate the kernel holds down, so that what is measured depends on the link
 * and not on how busy the machine is. Nothing of it touches the network of the machine.
 */
final class LeafSpine implements AutoCloseable {
  static final int PER_LEAF = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String ip;
  private final String tc;
  private final String prefix;
  private final List<String> made = new ArrayList<>();

  private LeafSpine(String ip, String tc, String prefix) {
    this.ip = ip;
    this.tc = tc;
    this.prefix = prefix;
  }

  /** Makes them; skips the calling test where that is not permitted. */
  static LeafSpine make(String name, int leaves) {
    LeafSpine network =
        new LeafSpine(
            Tools.require("ip", "iproute2").toString(),
            Tools.require("tc", "iproute2").toString(),
            "hf%d-%s-".formatted(ProcessHandle.current().pid(), name));
    try {
      network.build(leaves);
      return network;
    } catch (Throwable incomplete) {
      network.close();
      throw incomplete;
    }
  }

  private void build(int leaves) {
    String fabric = prefix + "fabric";
    CommandResult first = Command.of(ip, "netns", "add", fabric).within(PATIENCE).run();
    Assumptions.assumeTrue(
        first.succeeded(),
        () -> "needs the right to make network namespaces (root): " + first.why());
    made.add(fabric);
    bridge(fabric, "spine");
    for (int leaf = 1; leaf <= leaves; leaf++) {
      bridge(fabric, "leaf" + leaf);
      ip("-n", fabric, "link", "add", "up" + leaf, "type", "veth", "peer", "name", "down" + leaf);
      plug(fabric, "up" + leaf, "leaf" + leaf);
      plug(fabric, "down" + leaf, "spine");
      for (int i = 1; i <= PER_LEAF; i++) {
        host(fabric, leaf, (leaf - 1) * PER_LEAF + i);
      }
    }
  }

  private void host(String fabric, int leaf, int number) {
    String host = prefix + "n" + number;
    ip("netns", "add", host);
    made.add(host);
    ip(
        "-n",
        fabric,
        "link",
        "add",
        "n" + number,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        host);
    plug(fabric, "n" + number, "leaf" + leaf);
    ip("-n", host, "address", "add", address(number) + "/24", "dev", "eth0");
    ip("-n", host, "link", "set", "eth0", "up");
    ip("-n", host, "link", "set", "lo", "up");
    limitHost(number, "80mbit");
  }

  /** A second card for each host, eth1, all on one switch that has nothing to do with the first. */
  void secondCards() {
    String fabric = prefix + "fabric";
    bridge(fabric, "second");
    for (int number = 1; number < made.size(); number++) {
      String host = prefix + "n" + number;
      ip(
          "-n",
          fabric,
          "link",
          "add",
          "m" + number,
          "type",
          "veth",
          "peer",
          "name",
          "eth1",
          "netns",
          host);
      plug(fabric, "m" + number, "second");
      ip("-n", host, "address", "add", secondAddress(number) + "/24", "dev", "eth1");
      ip("-n", host, "link", "set", "eth1", "up");
      limitSecond(number, "80mbit");
    }
  }

  String secondAddress(int number) {
    return "10.79.0." + number;
  }

  void limitSecond(int number, String rate) {
    limit(prefix + "n" + number, "eth1", rate);
    limit(prefix + "fabric", "m" + number, rate);
  }

  /** The cable of a host, both ways. */
  void limitHost(int number, String rate) {
    limit(prefix + "n" + number, "eth0", rate);
    limit(prefix + "fabric", "n" + number, rate);
  }

  void limitUplink(int leaf, String rate) {
    limit(prefix + "fabric", "up" + leaf, rate);
    limit(prefix + "fabric", "down" + leaf, rate);
  }

  void cut(int number) {
    ip("-n", prefix + "fabric", "link", "set", "n" + number, "down");
  }

  /** The cable of a host drops so many of a hundred packets, each way. */
  void loseOfHost(int number, int percent) {
    drop(prefix + "fabric", "n" + number, "numgen random mod 100 < " + percent);
    drop(prefix + "n" + number, "eth0", "numgen random mod 100 < " + percent);
  }

  void loseOfUplink(int leaf, int percent) {
    drop(prefix + "fabric", "up" + leaf, "numgen random mod 100 < " + percent);
    drop(prefix + "fabric", "down" + leaf, "numgen random mod 100 < " + percent);
  }

  /** Nothing larger than this comes through from a host, and nobody is told. */
  void swallowLarge(int number, int bytes) {
    drop(prefix + "fabric", "n" + number, "meta length > " + bytes);
  }

  private void drop(String namespace, String device, String what) {
    done(
        ip,
        "netns",
        "exec",
        namespace,
        Tools.require("nft", "nftables").toString(),
        "add table netdev hf_%1$s; add chain netdev hf_%1$s in { type filter hook ingress device %1$s priority 0; }; add rule netdev hf_%1$s in %2$s drop"
            .formatted(device, what));
  }

  /** What has arrived from a host so far. */
  long bytesFrom(int number) {
    CommandResult read =
        Command.of(
                ip,
                "netns",
                "exec",
                prefix + "fabric",
                "cat",
                "/sys/class/net/n" + number + "/statistics/rx_bytes")
            .within(PATIENCE)
            .run();
    assertThat(read.succeeded()).as(read.error()).isTrue();
    return Long.parseLong(read.output().strip());
  }

  /** The words that run a command on a host. */
  List<String> inside(int number) {
    return List.of(ip, "netns", "exec", prefix + "n" + number);
  }

  /** The processes that run on a host. */
  List<Long> processes(int number) {
    return Command.of(ip, "netns", "pids", prefix + "n" + number)
        .within(PATIENCE)
        .run()
        .output()
        .lines()
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .map(Long::parseLong)
        .toList();
  }

  String address(int number) {
    return "10.78.0." + number;
  }

  String prefix() {
    return prefix;
  }

  private void limit(String namespace, String device, String rate) {
    done(
        tc, "-n", namespace, "qdisc", "replace", "dev", device, "root", "tbf", "rate", rate,
        "burst", "32kb", "latency", "100ms");
  }

  private void bridge(String namespace, String name) {
    ip("-n", namespace, "link", "add", name, "type", "bridge");
    ip("-n", namespace, "link", "set", name, "up");
  }

  private void plug(String namespace, String device, String bridge) {
    ip("-n", namespace, "link", "set", device, "master", bridge);
    ip("-n", namespace, "link", "set", device, "up");
  }

  private void ip(String... arguments) {
    List<String> command = new ArrayList<>(List.of(ip));
    command.addAll(List.of(arguments));
    done(command.toArray(String[]::new));
  }

  private static void done(String... command) {
    CommandResult result = Command.of(command).within(PATIENCE).run();
    assertThat(result.succeeded()).as(String.join(" ", command) + ": " + result.error()).isTrue();
  }

  @Override
  public void close() {
    made.reversed().forEach(it -> Command.of(ip, "netns", "delete", it).within(PATIENCE).run());
    made.clear();
  }
}
