package dev.holdfast.core.forensics.logs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that was read of a run, put together: which stream is whose, where, by which clock. */
final class Scene {
  private static final long MOST_COMPARISONS = 20_000_000;
  private static final int MOST_OF_A_NODE = 8;
  private static final int MOST_ABSENT = 10_000;

  /** Ranks ascending, then writers without a rank. */
  final List<Voice> voices;

  final List<Ending> endings;
  final List<KernelNotes> kernels;
  final List<RasReport> reports;
  final InspectorNotes inspector;
  final Clocks clocks;

  /** How many ranks there are, as far as anything tells. */
  final int world;

  /** Ranks nothing was heard of. */
  final TreeSet<Integer> absent = new TreeSet<>();

  private final Map<Integer, Voice> byRank = new TreeMap<>();
  private final Map<Integer, Voice> bySpeaker = new HashMap<>();
  private final Map<String, String> nodeByAddress = new HashMap<>();
  private final Set<String> names = new TreeSet<>();

  Scene(
      Collection<Speaker> speakers,
      List<Ending> endings,
      List<KernelNotes> kernels,
      List<RasReport> reports,
      InspectorNotes inspector) {
    this.endings = endings;
    this.kernels = kernels;
    this.reports = reports;
    this.inspector = inspector;
    List<Voice> unknown = new ArrayList<>();
    Map<String, Integer> ranks = resolved(speakers);
    for (Speaker speaker : speakers) {
      int rank = ranks.getOrDefault(speaker.key(), speaker.rank);
      Voice voice;
      if (rank >= 0) {
        voice = byRank.computeIfAbsent(rank, Voice::new);
      } else {
        voice = new Voice(-1);
        unknown.add(voice);
      }
      voice.speakers.add(speaker);
      bySpeaker.put(speaker.id, voice);
    }
    List<Voice> all = new ArrayList<>(byRank.values());
    all.addAll(unknown);
    voices = List.copyOf(all);
    nodes();
    voices.forEach(voice -> names.add(voice.node));
    names.remove("");
    clocks = Clocks.of(voices);
    voices.forEach(voice -> voice.offset = clocks.offset(Clocks.name(voice)));
    world = world();
    if (!byRank.isEmpty()) {
      for (int rank = 0; rank < world && absent.size() < MOST_ABSENT; rank++) {
        if (!byRank.containsKey(rank)) {
          absent.add(rank);
        }
      }
    }
  }

  /** Ranks of speakers of which only the place on the node is told. */
  private static Map<String, Integer> resolved(Collection<Speaker> speakers) {
    Map<String, Integer> ranks = new HashMap<>();
    Set<String> folders = new HashSet<>();
    int largest = 0;
    for (Speaker speaker : speakers) {
      largest = Math.max(largest, speaker.nccl == null ? 0 : speaker.nccl.ranks);
    }
    for (Speaker speaker : speakers) {
      if (speaker.rank < 0 && speaker.local >= 0) {
        folders.add(folder(speaker));
        NcclFacts nccl = speaker.nccl;
        if (speaker.learned >= 0) {
          ranks.put(speaker.key(), speaker.learned);
        } else if (nccl != null && nccl.ranks == largest && nccl.rank >= 0) {
          ranks.putIfAbsent(speaker.key(), nccl.rank);
        }
      }
    }
    if (folders.size() == 1) {
      for (Speaker speaker : speakers) {
        if (speaker.rank < 0 && speaker.local >= 0 && speaker.gpu < 0) {
          ranks.putIfAbsent(speaker.key(), speaker.local);
        }
      }
    }
    oneNode(speakers, ranks);
    return ranks;
  }

  /**
   * Where a file names one host only and no rank beyond the first eight, GPU 3 of that host is rank
   * 3: the job has one node, or it is its first.
   */
  private static void oneNode(Collection<Speaker> speakers, Map<String, Integer> ranks) {
    Map<String, Set<String>> hosts = new HashMap<>();
    Map<String, Integer> largest = new HashMap<>();
    for (Speaker speaker : speakers) {
      if (speaker.gpu >= 0) {
        hosts.computeIfAbsent(speaker.file, _ -> new HashSet<>()).add(speaker.node);
      }
      if (speaker.rank >= 0) {
        largest.merge(speaker.file, speaker.rank, Math::max);
      }
    }
    for (Speaker speaker : speakers) {
      if (speaker.gpu >= 0
          && hosts.getOrDefault(speaker.file, Set.of()).size() == 1
          && largest.getOrDefault(speaker.file, MOST_OF_A_NODE) < MOST_OF_A_NODE) {
        ranks.putIfAbsent(speaker.key(), speaker.gpu);
      }
    }
  }

  /** Of one node: the folder above {@code 3/stderr.log}, or the file whose lines carry labels. */
  private static String folder(Speaker speaker) {
    if (!speaker.inFolder()) {
      return speaker.file + " " + speaker.node;
    }
    int slash = speaker.place.lastIndexOf('/');
    return slash < 0 ? "" : speaker.place.substring(0, slash);
  }

  private void nodes() {
    Map<Integer, String> told = new HashMap<>();
    for (Ending ending : endings) {
      if (!ending.node().isEmpty()) {
        ending.ranks().forEach(rank -> told.put(rank, ending.node()));
      }
    }
    Set<String> known = new TreeSet<>();
    for (Voice voice : voices) {
      for (Speaker speaker : voice.speakers) {
        NcclFacts nccl = speaker.nccl;
        String node = nccl != null && !nccl.host.isEmpty() ? nccl.host : speaker.node;
        if (voice.node.isEmpty() && !node.isEmpty()) {
          voice.node = shortName(node);
        }
        if (nccl != null && !nccl.address.isEmpty()) {
          nodeByAddress.put(nccl.address, shortName(node));
        }
      }
      if (voice.node.isEmpty()) {
        voice.node = shortName(told.getOrDefault(voice.rank, ""));
      }
      known.add(voice.node);
    }
    kernels.forEach(kernel -> known.add(shortName(kernel.node())));
    known.remove("");
    if ((long) known.size() * voices.size() <= MOST_COMPARISONS) {
      for (Voice voice : voices) {
        if (voice.node.isEmpty()) {
          voice.node = named(voice.speakers.getFirst().file, known);
        }
      }
    }
  }

  /** The longest known node whose name is a part of the file's. */
  private static String named(String file, Set<String> nodes) {
    String best = "";
    for (String node : nodes) {
      int at = file.indexOf(node);
      int after = at + node.length();
      boolean whole =
          at >= 0
              && (at == 0 || !Character.isLetterOrDigit(file.charAt(at - 1)))
              && (after == file.length() || !Character.isLetterOrDigit(file.charAt(after)));
      if (whole && node.length() > best.length()) {
        best = node;
      }
    }
    return best;
  }

  static String shortName(String host) {
    int dot = host.indexOf('.');
    boolean address = !host.isEmpty() && Character.isDigit(host.charAt(0));
    return dot < 0 || address ? host : host.substring(0, dot);
  }

  private int world() {
    int told = inspector.world();
    for (RasReport report : reports) {
      told = Math.max(told, report.world());
    }
    int heard = 0;
    for (Voice voice : voices) {
      heard = Math.max(heard, voice.rank + 1);
      for (NcclFacts facts : voice.nccl().toList()) {
        told = Math.max(told, facts.ranks);
      }
    }
    return Math.max(told, heard);
  }

  /** All voices with a rank. */
  Collection<Voice> ranks() {
    return byRank.values();
  }

  /** Whose stream it is. */
  Voice voiceOf(int speaker) {
    Voice voice = bySpeaker.get(speaker);
    return voice == null ? new Voice(-1) : voice;
  }

  List<Integer> on(String node) {
    return byRank.values().stream()
        .filter(voice -> voice.node.equals(node))
        .map(voice -> voice.rank)
        .toList();
  }

  String nodeOf(Collection<Integer> ranks) {
    Set<String> nodes = new HashSet<>();
    for (int rank : ranks) {
      Voice voice = byRank.get(rank);
      nodes.add(voice == null ? "" : voice.node);
    }
    return nodes.size() == 1 ? nodes.iterator().next() : "";
  }

  /** The node of this name or address, empty: not known. */
  String nodeAt(String address) {
    String name = shortName(address);
    return names.contains(name) ? name : nodeByAddress.getOrDefault(address, "");
  }

  Set<String> nodeNames() {
    return names;
  }

  /** When the job last did a step. */
  long progress() {
    return voices.stream().mapToLong(Voice::stepTime).max().orElse(Stamp.NONE);
  }

  long begin() {
    return voices.stream()
        .mapToLong(Voice::firstTime)
        .filter(time -> time != Stamp.NONE)
        .min()
        .orElse(Stamp.NONE);
  }

  long end() {
    return voices.stream().mapToLong(Voice::lastTime).max().orElse(Stamp.NONE);
  }
}
