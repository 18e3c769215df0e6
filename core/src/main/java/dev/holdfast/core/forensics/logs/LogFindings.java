package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.Ranks;
import dev.holdfast.core.forensics.logs.NcclFacts.Transport;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is worth knowing beside the failure: what NCCL chose silently, versions and settings in
 * which ranks differ, what kernels logged, what NCCL's own services noticed, clocks that disagree.
 */
final class LogFindings {
  private static final String RECORDED = "recorded";
  private static final String DOCUMENTED = "documented";
  private static final int MOST_KERNEL = 12;
  private static final Duration SKEW = Duration.ofMillis(500);

  private final Scene scene;
  private final List<LogFinding> findings = new ArrayList<>();

  private LogFindings(Scene scene) {
    this.scene = scene;
  }

  static List<LogFinding> of(Scene scene) {
    LogFindings all = new LogFindings(scene);
    all.transports();
    all.differences();
    all.topology();
    all.starts();
    all.kernels();
    all.services();
    all.clocks();
    all.findings.sort(Comparator.comparing(LogFinding::severity).reversed());
    return List.copyOf(all.findings);
  }

  private void transports() {
    boolean fabric = any(facts -> facts.adapters > 0 || count(facts, Transport.NET_DIRECT) > 0);
    List<Voice> sockets = who(facts -> count(facts, Transport.SOCKET) > 0);
    if (!sockets.isEmpty()) {
      boolean some = who(facts -> rdma(facts) && count(facts, Transport.SOCKET) == 0).isEmpty();
      add(
          "nccl.socket",
          fabric || !some ? Severity.DEGRADED : Severity.WARNING,
          sockets,
          some
              ? "NCCL goes between nodes through TCP sockets."
              : "NCCL goes through TCP sockets on some ranks and through RDMA on others.",
          sample(sockets, Transport.SOCKET),
          "TCP through the kernel is 5 to 50 times slower than RDMA; NCCL falls back to it without a"
              + " warning.",
          "On the nodes named: `holdfast doctor` (ports, drivers), NCCL_IB_DISABLE, NCCL_IB_HCA,"
              + " /dev/infiniband in the container.",
          RECORDED);
    }
    List<Voice> staged = who(facts -> count(facts, Transport.NET_STAGED) > 0);
    if (!staged.isEmpty()) {
      List<String> evidence = new ArrayList<>(sample(staged, Transport.NET_STAGED));
      staged.stream()
          .flatMap(Voice::nccl)
          .map(facts -> facts.directDisabled)
          .filter(line -> !line.isEmpty())
          .findFirst()
          .ifPresent(evidence::add);
      add(
          "nccl.no-gdr",
          Severity.DEGRADED,
          staged,
          "RDMA without GPUDirect: data goes through memory of the host.",
          evidence,
          "Each message crosses PCIe twice and host memory once; large messages get half the"
              + " bandwidth or less.",
          "Load nvidia_peermem or use a kernel with DMA-BUF; check ACS and NCCL_NET_GDR_LEVEL.",
          RECORDED);
    }
    List<Voice> shared = who(facts -> count(facts, Transport.SHM) > 0);
    List<Voice> direct = who(facts -> count(facts, Transport.P2P) > 0);
    if (!shared.isEmpty() && !direct.isEmpty()) {
      add(
          "nccl.shm",
          Severity.WARNING,
          shared,
          "Some GPUs of a node talk through memory of the host, others directly.",
          sample(shared, Transport.SHM),
          "Through host memory is several times slower than NVLink; it means P2P was not possible.",
          "Compare the nodes: `nvidia-smi topo -m`, NCCL_P2P_DISABLE, IOMMU and ACS.",
          RECORDED);
    }
  }

  private void differences() {
    differ(
        "nccl.versions",
        facts -> facts.version,
        "Ranks use different versions of NCCL.",
        "Different versions may not understand each other: wrong answers, hangs, refusals.",
        "Use the same container or environment on all nodes.",
        Severity.DEGRADED);
    differ(
        "nccl.network",
        facts -> facts.network,
        "Ranks chose different networks.",
        "Ranks on different networks cannot talk, or all fall to the slowest.",
        "Compare NCCL_NET, NCCL_NET_PLUGIN and drivers of the nodes.",
        Severity.DEGRADED);
    differ(
        "nccl.adapters",
        facts -> facts.adapters < 0 ? "" : facts.adapters + " adapters",
        "Nodes have different numbers of network adapters.",
        "A node with fewer adapters holds all others up in every collective.",
        "Check ports on the nodes with fewer: `holdfast doctor`.",
        Severity.DEGRADED);
    differ(
        "nccl.rings",
        facts -> facts.rings <= 0 ? "" : facts.rings + " rings",
        "Ranks made different numbers of rings.",
        "Ranks that see another topology than the others choose fewer channels, or paths that do not fit.",
        "Compare NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS and `nvidia-smi topo -m` of the nodes.",
        Severity.WARNING);
  }

  private void differ(
      String id,
      Function<NcclFacts, String> value,
      String summary,
      String meaning,
      String remedy,
      Severity severity) {
    Map<String, List<Voice>> byValue = new TreeMap<>();
    for (Voice voice : scene.voices) {
      voice
          .nccl()
          .map(value)
          .filter(text -> !text.isEmpty())
          .findFirst()
          .ifPresent(text -> byValue.computeIfAbsent(text, _ -> new ArrayList<>()).add(voice));
    }
    if (byValue.size() < 2) {
      return;
    }
    List<String> evidence = new ArrayList<>();
    byValue.forEach(
        (text, voices) -> {
          if (evidence.size() < 8) {
            evidence.add(text + ": ranks " + Ranks.show(ranks(voices)));
          }
        });
    List<Voice> fewest =
        byValue.values().stream().min(Comparator.comparingInt(List::size)).orElse(List.of());
    add(id, severity, fewest, summary, evidence, meaning, remedy, RECORDED);
  }

  /** How ranks are connected, for the record. */
  private void topology() {
    List<String> parts = new ArrayList<>();
    int[] sums = new int[Transport.values().length];
    int rings = 0;
    int trees = 0;
    for (Voice voice : scene.voices) {
      for (NcclFacts facts : voice.nccl().toList()) {
        rings = Math.max(rings, facts.rings);
        trees = Math.max(trees, facts.trees);
        for (int i = 0; i < sums.length; i++) {
          sums[i] += facts.connections[i];
        }
      }
    }
    for (Transport transport : Transport.values()) {
      if (sums[transport.ordinal()] > 0) {
        parts.add(sums[transport.ordinal()] + " " + transport.words());
      }
    }
    if (rings > 0 || !parts.isEmpty()) {
      findings.add(
          new LogFinding(
              "nccl.topology",
              Severity.INFO,
              "",
              List.of(),
              (rings > 0 ? "NCCL made %d rings and %d trees. ".formatted(rings, trees) : "")
                  + (parts.isEmpty() ? "" : "Connections: " + String.join(", ", parts) + "."),
              List.of(),
              "For the record.",
              "Nothing to do.",
              RECORDED));
    }
  }

  /** Who began to make a communicator and was not done, while others were. */
  private void starts() {
    List<Voice> stuck = who(facts -> facts.started > facts.completed);
    List<Voice> done = who(facts -> facts.completed > 0 && facts.started <= facts.completed);
    if (!stuck.isEmpty() && !done.isEmpty()) {
      add(
          "nccl.init",
          Severity.WARNING,
          stuck,
          "Some ranks never finished making a communicator.",
          List.of("Init START without Init COMPLETE"),
          "They stood in the start of NCCL: a peer that did not come, or a connection that failed.",
          "Look at the last NCCL lines of these ranks.",
          RECORDED);
    }
  }

  private void kernels() {
    int shown = 0;
    for (KernelNotes kernel : scene.kernels) {
      for (KernelEvent event : kernel.events()) {
        if (event.role() == KernelEvent.Role.CAUSE && shown++ < MOST_KERNEL) {
          findings.add(
              new LogFinding(
                  "kernel." + event.rule(),
                  event.severity(),
                  "",
                  kernel.node().isEmpty() ? List.of() : List.of(Scene.shortName(kernel.node())),
                  event.summary()
                      + (event.device().isEmpty() ? "" : " of " + event.device())
                      + (event.count() > 1 ? ", " + event.count() + " lines" : ""),
                  List.of(event.line()),
                  event.meaning(),
                  event.remedy(),
                  RECORDED));
        }
      }
    }
  }

  private void services() {
    for (RasReport report : scene.reports) {
      TreeSet<Integer> all = new TreeSet<>(report.behind());
      all.addAll(report.missing());
      if (!all.isEmpty()) {
        findings.add(
            new LogFinding(
                "nccl.ras",
                Severity.WARNING,
                Ranks.show(all),
                List.of(),
                "NCCL's own service found ranks behind or missing.",
                report.lines(),
                "Between two reports of a running job that is ordinary; of a job that stands it names"
                    + " whom the others wait for.",
                "Ask again: ncclras; look at the stacks of these ranks.",
                DOCUMENTED));
      }
    }
    inspector("nccl.inspector.behind", scene.inspector.behind(), "finished fewer collectives");
    inspector(
        "nccl.inspector.late",
        scene.inspector.late(),
        "come last to collectives again and again: theirs are over soonest");
  }

  private void inspector(String id, Set<Integer> ranks, String what) {
    if (!ranks.isEmpty()) {
      findings.add(
          new LogFinding(
              id,
              Severity.WARNING,
              Ranks.show(ranks),
              List.of(),
              "By NCCL's Inspector ranks " + Ranks.show(ranks) + " " + what + ".",
              List.of("records of the largest communicator"),
              "The others wait for them.",
              "Clocks, temperature, binding and data loading of these ranks: `holdfast doctor`.",
              DOCUMENTED));
    }
  }

  private void clocks() {
    List<String> off = new ArrayList<>();
    List<String> nodes = new ArrayList<>();
    for (NodeClock clock : scene.clocks.all()) {
      if (clock.events() > 0 && clock.offset().abs().compareTo(SKEW) > 0) {
        nodes.add(clock.node());
        if (off.size() < 8) {
          off.add(
              "%s: %+.3f s, within %.3f s, by %d steps"
                  .formatted(
                      clock.node(),
                      clock.offset().toNanos() / 1e9,
                      clock.within().toNanos() / 1e9,
                      clock.events()));
        }
      }
    }
    if (!off.isEmpty()) {
      findings.add(
          new LogFinding(
              "clock.skew",
              Severity.INFO,
              "",
              nodes,
              "Clocks of nodes differ; times are shown as corrected.",
              off,
              "Times of different nodes cannot be compared as they stand.",
              "chronyc tracking on these nodes; time zone of the containers.",
              RECORDED));
    }
  }

  private void add(
      String id,
      Severity severity,
      List<Voice> voices,
      String summary,
      List<String> evidence,
      String meaning,
      String remedy,
      String proof) {
    TreeSet<String> nodes = new TreeSet<>();
    voices.forEach(voice -> nodes.add(voice.node));
    nodes.remove("");
    findings.add(
        new LogFinding(
            id,
            severity,
            Ranks.show(ranks(voices)),
            List.copyOf(nodes),
            summary,
            evidence,
            meaning,
            remedy,
            proof));
  }

  private static List<Integer> ranks(List<Voice> voices) {
    return voices.stream().filter(Voice::known).map(voice -> voice.rank).toList();
  }

  private static int count(NcclFacts facts, Transport transport) {
    return facts.connections[transport.ordinal()];
  }

  private static boolean rdma(NcclFacts facts) {
    return count(facts, Transport.NET_DIRECT) + count(facts, Transport.NET_STAGED) > 0;
  }

  private boolean any(Predicate<NcclFacts> test) {
    return scene.voices.stream().anyMatch(voice -> voice.nccl().anyMatch(test));
  }

  private List<Voice> who(Predicate<NcclFacts> test) {
    return scene.voices.stream().filter(voice -> voice.nccl().anyMatch(test)).toList();
  }

  private static List<String> sample(List<Voice> voices, Transport transport) {
    return voices.stream()
        .flatMap(Voice::nccl)
        .flatMap(facts -> Stream.ofNullable(facts.samples[transport.ordinal()]))
        .limit(2)
        .toList();
  }
}
