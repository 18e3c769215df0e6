package dev.holdfast.launch.stacks;

import dev.holdfast.core.forensics.stacks.RankSet;
import dev.holdfast.core.forensics.stacks.StackReader;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Samples over time as one tree. Who gave no stack is in it too, under the reason, with what the
 * kernel says of it: a rank that is missing from a picture is the first one looked for.
 *
 * @param rounds at least one
 */
public record StackRounds(List<Round> rounds) {
  public StackRounds {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("no sample");
    }
  }

  /** All samples. */
  public StackTree tree() {
    return tree(rounds);
  }

  /** The last sample alone: an order in time is one of a single moment. */
  public StackTree last() {
    return tree(List.of(rounds.getLast()));
  }

  private static StackTree tree(List<Round> rounds) {
    StackTree tree = new StackTree();
    for (Round round : rounds) {
      for (Seen seen : round.seen()) {
        stacks(seen).forEach(stack -> tree.add(seen.rank(), stack));
      }
    }
    return tree;
  }

  private static List<List<String>> stacks(Seen seen) {
    try {
      return seen.stacks().isEmpty() ? instead(seen) : StackReader.read(seen.stacks());
    } catch (IllegalArgumentException none) {
      return instead(seen);
    }
  }

  private static List<List<String>> instead(Seen seen) {
    List<String> frames = new ArrayList<>();
    frames.add("no stack: " + (seen.noStacks().isEmpty() ? "none was given" : seen.noStacks()));
    if (seen.state() != 'X') {
      frames.add("state " + seen.state() + (seen.place().isEmpty() ? "" : " in " + seen.place()));
    }
    return List.of(frames);
  }

  /** Ranks that were elsewhere in one sample than in another; with one sample nobody. */
  public RankSet moved() {
    Map<Integer, Set<Set<List<String>>>> places = new HashMap<>();
    for (Round round : rounds) {
      for (Seen seen : round.seen()) {
        places.computeIfAbsent(seen.rank(), _ -> new HashSet<>()).add(new HashSet<>(stacks(seen)));
      }
    }
    Set<Integer> moved = new TreeSet<>();
    places.forEach(
        (rank, different) -> {
          if (different.size() > 1) {
            moved.add(rank);
          }
        });
    return RankSet.of(moved);
  }

  /** Of the last sample, those without a stack. */
  public List<Seen> silent() {
    return rounds.getLast().seen().stream().filter(seen -> seen.stacks().isEmpty()).toList();
  }
}
