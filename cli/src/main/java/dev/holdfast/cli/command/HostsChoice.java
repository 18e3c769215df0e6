package dev.holdfast.cli.command;

import dev.holdfast.bench.net.HostSlots;
import dev.holdfast.bench.net.RankSite;
import dev.holdfast.bench.net.RemoteHosts;
import dev.holdfast.bench.net.RemoteShell;
import dev.holdfast.bench.net.ThisMachine;
import dev.holdfast.bench.net.Transport;
import dev.holdfast.bench.net.Transports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which hosts ranks run, and how they are started there. */
final class HostsChoice {
  @Option(
      names = "--hosts",
      paramLabel = "LIST",
      description =
          "Run the ranks on these hosts, such as n1,n2:4 or gpu[001-008]:8, with so many on each."
              + " Default: this machine.")
  private @Nullable String hosts;

  @Option(
      names = "--hostfile",
      paramLabel = "FILE",
      description = "The same, a host a line, as mpirun reads it: n1 slots=4.")
  private @Nullable Path hostfile;

  @Option(
      names = "--slurm",
      description =
          "The nodes of this Slurm job, by srun: as many ranks on each as it has tasks, with pairs"
              + " one.")
  private boolean slurm;

  @Option(
      names = "--rsh",
      paramLabel = "COMMAND",
      description =
          "What runs a program on another host; {host} is replaced, or the host is added. Default:"
              + " ssh that asks nothing (with HOLDFAST_SSH_OPTIONS).")
  private @Nullable String shell;

  @Option(
      names = "--remote-program",
      paramLabel = "PATH",
      description = "Holdfast on the hosts. Default: this very program, at the same path.")
  private @Nullable String program;

  @Option(
      names = "--interface",
      split = ",",
      paramLabel = "CARD|NET",
      description =
          "Which card each rank uses: a name, or a network such as 10.1.0.0/16; of several, ranks of"
              + " a host take one each in turn. Default: the one that leads to this machine.")
  private List<String> networks = List.of();

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "Where the hosts reach this machine. Default: where traffic to them leaves.")
  private String address = "";

  /** Whether any were named. */
  boolean given() {
    return hosts != null || hostfile != null || slurm;
  }

  /** Whether they are the nodes of a Slurm job, whose slots nobody chose for this. */
  boolean ofSlurm() {
    return slurm;
  }

  List<String> networks() {
    return networks;
  }

  private List<HostSlots> slots(Map<String, String> environment) {
    long ways = Stream.of(hosts != null, hostfile != null, slurm).filter(it -> it).count();
    if (ways > 1) {
      throw new IllegalArgumentException("--hosts, --hostfile or --slurm, not several of them");
    }
    if (hosts != null) {
      return HostSlots.list(hosts);
    }
    if (hostfile != null) {
      return LineFile.read("--hostfile", hostfile, HostSlots::file);
    }
    return HostSlots.slurm(environment);
  }

  /**
   * The host of each rank; empty for this machine.
   *
   * @param ranks 0: as many as there is room for
   */
  List<String> places(int ranks, Map<String, String> environment) {
    if (!given()) {
      if (shell != null || program != null || !networks.isEmpty() || !address.isEmpty()) {
        throw new IllegalArgumentException(
            "--rsh, --remote-program, --interface and --address are about other hosts: give --hosts,"
                + " --hostfile or --slurm");
      }
      return List.of();
    }
    return HostSlots.places(slots(environment), ranks);
  }

  /**
   * A rank for each card of each host, or one where none are named.
   *
   * @param ranks 0: all of them
   */
  List<String> forEachCard(int ranks, Map<String, String> environment) {
    int each = Math.max(1, networks.size());
    List<HostSlots> hosts =
        slots(environment).stream().map(it -> new HostSlots(it.host(), each)).toList();
    if (ranks > each * hosts.size()) {
      throw new IllegalArgumentException(
          "--ranks %d, but pairs have %d on each of %d nodes: one for each card that --interface names"
              .formatted(ranks, each, hosts.size()));
    }
    return HostSlots.places(hosts, ranks);
  }

  /** One rank on each of two hosts, or two on one. */
  List<String> two(Map<String, String> environment) {
    List<String> all = places(0, environment);
    List<String> distinct = all.stream().distinct().limit(2).toList();
    if (all.size() == 1) {
      throw new IllegalArgumentException("two ranks are needed: name two hosts, or one as HOST:2");
    }
    return distinct.size() == 2 ? distinct : all.stream().limit(2).toList();
  }

  RankSite site(List<String> places, Map<String, String> environment) {
    return places.isEmpty()
        ? new ThisMachine()
        : new RemoteHosts(places, shell(environment), program(), address, networks);
  }

  private RemoteShell shell(Map<String, String> environment) {
    if (shell != null) {
      return RemoteShell.named(shell);
    }
    return slurm
        ? RemoteShell.srun(words(environment.getOrDefault("HOLDFAST_SRUN_OPTIONS", "")))
        : RemoteShell.ssh(words(environment.getOrDefault("HOLDFAST_SSH_OPTIONS", "")));
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
  }

  private List<String> program() {
    return program == null ? List.of() : List.of(program, "bench", "net", "rank");
  }

  /** Between hosts there is only the network. */
  static Transport transport(String word, int ranks, boolean severalHosts) {
    if (!severalHosts) {
      Transport here = Transports.named(word, ranks);
      Transports.requireRoom(here, ranks);
      return here;
    }
    Transport named = word.equalsIgnoreCase("auto") ? Transport.TCP : Transports.named(word, ranks);
    if (named != Transport.TCP && named != Transport.NCCL) {
      throw new IllegalArgumentException(
          "--transport %s is for ranks of one machine; between hosts there is tcp, or nccl"
              .formatted(named.word()));
    }
    return named;
  }

  static List<String> distinct(List<String> places) {
    return new ArrayList<>(places.stream().distinct().toList());
  }
}
