package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.logs.Signs.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whom the victims name: a rank that did not come to a barrier, or the node at the other end. */
final class Accusations {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:from|by|to|with|peer)(?: remote)?(?: peer)? \\[?([0-9a-zA-Z.:-]{2,60}?)\\]?[<\\]: ]");
  private static final Pattern BARRIER =
      Pattern.compile(
          "Ranks? ([0-9, ]{1,200}) (?:in timeout )?failed to pass|Rank (\\d{1,6}) failed to"
              + "|waiting for send/recv from rank (\\d{1,6})|\\[missing ranks: ([0-9, ]{1,200})\\]");

  private final Scene scene;
  private final TreeSet<Integer> ranks = new TreeSet<>();

  /** How many broken connections lead to or from a node. */
  private final Map<String, Integer> votes = new TreeMap<>();

  private int voters;

  /** Nobody who was heard is silent, and nobody speaks of the fabric: then a process is gone. */
  private final boolean process;

  private Accusations(Scene scene, Signs signs) {
    this.scene = scene;
    process =
        signs.victims.keySet().containsAll(scene.ranks())
            && signs.victims.values().stream()
                .noneMatch(victim -> victim.rule().id().equals("nccl.ib"));
  }

  static Optional<Answer> of(Scene scene, Signs signs) {
    Accusations all = new Accusations(scene, signs);
    for (Victim victim : signs.victims.values()) {
      all.hear(victim.voice());
    }
    return all.answer();
  }

  private void hear(Voice voice) {
    voice.speakers.forEach(speaker -> ranks.addAll(speaker.missing));
    String node = "";
    for (String words : complaints(voice)) {
      Matcher barrier = BARRIER.matcher(words);
      if (barrier.find()) {
        String list = barrier.group(1);
        for (int group = 2; list == null; group++) {
          list = barrier.group(group);
        }
        Endings.numbers(list.strip().replace(" ", "")).ifPresent(ranks::addAll);
      }
      Matcher peer = ADDRESS.matcher(words);
      while (node.isEmpty() && peer.find()) {
        node = scene.nodeAt(peer.group(1));
      }
    }
    if (!node.isEmpty() && !node.equals(voice.node)) {
      voters++;
      votes.merge(node, 1, Integer::sum);
      if (!voice.node.isEmpty()) {
        votes.merge(voice.node, 1, Integer::sum);
      }
    }
  }

  private static List<String> complaints(Voice voice) {
    List<String> words = new ArrayList<>();
    for (Speaker speaker : voice.speakers) {
      for (Match match : speaker.matches) {
        if (match.rule().weight() == Weight.VICTIM) {
          words.add(match.last.said().text());
        }
      }
    }
    return words;
  }

  private Optional<Answer> answer() {
    // Of few ranks heard nothing tells how many there are.
    boolean all = scene.world > 2;
    ranks.removeIf(rank -> all && rank >= scene.world);
    if (!ranks.isEmpty() && (!all || ranks.size() < scene.world)) {
      return Optional.of(
          Answer.ranks(
              ranks,
              FailureClass.HANG,
              "peer.monitored-barrier",
              0.75,
              "did not come to the barrier.",
              List.of()));
    }
    List<String> common = new ArrayList<>();
    votes.forEach(
        (node, count) -> {
          if (count == voters) {
            common.add(node);
          }
        });
    if (voters < 2 || common.size() != 1) {
      return Optional.empty();
    }
    String node = common.getFirst();
    List<String> why = List.of(voters + " broken connections, all of them to or from " + node);
    if (process && scene.absent.size() == 1 && scene.on(node).size() < largestNode()) {
      return Optional.of(
          Answer.ranks(
              scene.absent,
              FailureClass.UNKNOWN,
              "",
              0.6,
              "left no log, and every broken connection leads to its node " + node + ".",
              why));
    }
    return Optional.of(
        Answer.node(
            node,
            FailureClass.NCCL_ERROR,
            "nccl.ib",
            0.6,
            "is at one end of every connection that broke.",
            why));
  }

  private int largestNode() {
    return scene.nodeNames().stream().mapToInt(node -> scene.on(node).size()).max().orElse(0);
  }
}
