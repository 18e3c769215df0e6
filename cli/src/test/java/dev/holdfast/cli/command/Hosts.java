package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/**
 * Machines n1, n2, … on one network that can be taken apart: network namespaces whose cards all
 * lead into two switches, which lie in a namespace of their own. Nothing of it touches the network
 * of the machine, and all of it goes with the namespaces. Host n<i>i</i> has the address
 * 10.77.0.<i>i</i>.
 */
final class Hosts implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String ip;
  private final String prefix;
  private final List<String> made = new ArrayList<>();
  private final int count;

  private Hosts(String ip, String prefix, int count) {
    this.ip = ip;
    this.prefix = prefix;
    this.count = count;
  }

  /** Makes them; skips the calling test where that is not permitted. */
  static Hosts make(String name, int count) {
    String ip = Tools.require("ip", "iproute2").toString();
    Tools.require("nsenter", "util-linux");
    Tools.require("unshare", "util-linux");
    Tools.require("hostname", "hostname");
    Hosts hosts = new Hosts(ip, "hf%d-%s-".formatted(ProcessHandle.current().pid(), name), count);
    try {
      hosts.build();
    } catch (Throwable incomplete) {
      hosts.close();
      throw incomplete;
    }
    return hosts;
  }

  private void build() {
    String middle = prefix + "switch";
    CommandResult first = ip("netns", "add", middle);
    Assumptions.assumeTrue(
        first.succeeded(),
        () -> "needs the right to make network namespaces (root): " + first.why());
    made.add(middle);
    for (String bridge : List.of("left", "right")) {
      done("-n", middle, "link", "add", bridge, "type", "bridge");
      done("-n", middle, "link", "set", bridge, "up");
    }
    for (int i = 1; i <= count; i++) {
      String host = namespace(i);
      done("netns", "add", host);
      made.add(host);
      done("-n", middle, "link", "add", "p" + i, "type", "veth", "peer", "eth0", "netns", host);
      done("-n", middle, "link", "set", "p" + i, "master", "left", "up");
      done("-n", host, "address", "add", "10.77.0." + i + "/24", "dev", "eth0");
      done("-n", host, "link", "set", "lo", "up");
      done("-n", host, "link", "set", "eth0", "up");
    }
  }

  private String namespace(int host) {
    return prefix + "n" + host;
  }

  int count() {
    return count;
  }

  /** The command as it is started on a host; the process that is started becomes it. */
  List<String> on(int host, List<String> command) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--net=/run/netns/" + namespace(host),
                "unshare",
                "--uts",
                "sh",
                "-c",
                "hostname \"$0\" && exec \"$@\"",
                "n" + host));
    line.addAll(command);
    return line;
  }

  /** Pulls the cable of a host. */
  void cut(int host) {
    done("-n", namespace(host), "link", "set", "eth0", "down");
  }

  /** From now on these hosts reach only each other, as do all the others. */
  void part(Set<Integer> some) {
    for (int host : some) {
      done("-n", prefix + "switch", "link", "set", "p" + host, "master", "right");
    }
  }

  /** Every host reaches every host again. */
  void join() {
    for (int host = 1; host <= count; host++) {
      done("-n", prefix + "switch", "link", "set", "p" + host, "master", "left");
    }
  }

  /** The processes on a host. */
  List<ProcessHandle> processes(int host) {
    return processes(namespace(host));
  }

  private List<ProcessHandle> processes(String namespace) {
    return ip("netns", "pids", namespace)
        .output()
        .lines()
        .map(Long::parseLong)
        .flatMap(pid -> ProcessHandle.of(pid).stream())
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  private void done(String... words) {
    CommandResult outcome = ip(words);
    assertThat(outcome.succeeded())
        .as("ip %s: %s", String.join(" ", words), outcome.why() + outcome.error())
        .isTrue();
  }

  private CommandResult ip(String... words) {
    List<String> line = new ArrayList<>(List.of(ip));
    line.addAll(List.of(words));
    return Command.of(line).within(PATIENCE).run();
  }

  /** Ends every process on them, by its number, and takes them away. */
  @Override
  public void close() {
    for (String namespace : made) {
      processes(namespace).forEach(ProcessHandle::destroyForcibly);
      ip("netns", "delete", namespace);
    }
  }
}
