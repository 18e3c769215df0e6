package dev.holdfast.core.network.blame;

import dev.holdfast.core.network.NetText;
import dev.holdfast.core.network.blame.Trials.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the measurements prove, and what they leave open. */
final class Conviction {
  private final List<Endpoint> endpoints;
  private final Trials trials;
  private final boolean links;
  private final List<Blamed> blamed = new ArrayList<>();
  private final List<String> undecided = new ArrayList<>();

  /**
   * @param links whether links may be bad, so that one bad measurement with a good partner is not
   *     yet proof
   */
  Conviction(List<Endpoint> endpoints, Trials trials, boolean links) {
    this.endpoints = endpoints;
    this.trials = trials;
    this.links = links;
  }

  /** Bad with as many good partners as it takes. */
  boolean isConvicted(Endpoint endpoint) {
    return !trials.isGood(endpoint) && proofs(endpoint).size() >= (links ? 2 : 1);
  }

  /** Bad measurements in which everything but this endpoint, and a link, is proven good. */
  private List<Trial> proofs(Endpoint endpoint) {
    Set<Endpoint> partners = new HashSet<>();
    return trials.badOf(endpoint).stream()
        .filter(it -> trials.isGood(it.pair().other(endpoint)))
        .filter(it -> !it.pair().crosses() || provenPath(it.pair()))
        .filter(it -> partners.add(it.pair().other(endpoint)))
        .toList();
  }

  /** Links that are trusted need no proof; but a leaf nobody got out of may be bad itself. */
  private boolean provenPath(Pair pair) {
    return proven(pair.first().leaf()) && proven(pair.second().leaf());
  }

  private boolean proven(String leaf) {
    return links ? trials.hasGoodUplinks(leaf) : trials.hasAnybodyGood(leaf);
  }

  BlameReport report(int rounds) {
    Set<String> leaves = leavesWithoutAnybodyGood();
    nodes(leaves);
    linksBetweenGoodOnes();
    uplinks();
    blamed.sort(Comparator.comparing(Blamed::kind).thenComparing(Blamed::name));
    return new BlameReport(
        blamed,
        undecided,
        endpoints.size(),
        trials.goodCount(),
        rounds,
        trials.count(),
        trials.typical());
  }

  /** Whether the leaf itself is bad or each of its nodes, nobody can see from outside. */
  private Set<String> leavesWithoutAnybodyGood() {
    Map<String, List<Endpoint>> byLeaf = new TreeMap<>();
    endpoints.forEach(it -> byLeaf.computeIfAbsent(it.leaf(), _ -> new ArrayList<>()).add(it));
    Set<String> found = new HashSet<>();
    byLeaf.forEach(
        (leaf, members) -> {
          if (byLeaf.size() == 1 || trials.hasAnybodyGood(leaf)) {
            return;
          }
          List<Trial> fromOutside =
              members.stream()
                  .flatMap(it -> trials.badOf(it).stream())
                  .filter(it -> it.pair().crosses())
                  .filter(it -> knownOutside(it.pair(), leaf))
                  .toList();
          if (!fromOutside.isEmpty()) {
            found.add(leaf);
            blamed.add(blame(Blamed.Kind.LEAF_OR_NODES, leaf, fromOutside));
          }
        });
    return found;
  }

  private boolean knownOutside(Pair pair, String leaf) {
    Endpoint outside = pair.first().leaf().equals(leaf) ? pair.second() : pair.first();
    return trials.isGood(outside) && proven(outside.leaf());
  }

  private void nodes(Set<String> coveredLeaves) {
    Map<String, List<Endpoint>> byNode = new LinkedHashMap<>();
    endpoints.forEach(it -> byNode.computeIfAbsent(it.node(), _ -> new ArrayList<>()).add(it));
    byNode.forEach(
        (node, own) -> {
          List<Endpoint> convicted = own.stream().filter(this::isConvicted).toList();
          if (convicted.size() == own.size()) {
            blamed.add(
                blame(
                    Blamed.Kind.NODE,
                    node,
                    own.stream().flatMap(it -> proofs(it).stream()).toList()));
          } else {
            convicted.forEach(it -> blamed.add(blame(Blamed.Kind.NIC, it.toString(), proofs(it))));
          }
          own.stream()
              .filter(it -> !trials.isGood(it) && !convicted.contains(it))
              .filter(it -> !coveredLeaves.contains(it.leaf()))
              .forEach(this::leaveOpen);
        });
  }

  private void leaveOpen(Endpoint endpoint) {
    List<Trial> bad = trials.badOf(endpoint);
    undecided.add(
        bad.isEmpty()
            ? endpoint + ": was not measured"
            : endpoint
                + ": bad with "
                + String.join(
                    ", ",
                    bad.stream()
                        .map(it -> it.pair().other(endpoint) + " (" + seen(it) + ")")
                        .toList())
                + ", and nobody proven good was left to tell it from its partner, link or leaf");
  }

  private void linksBetweenGoodOnes() {
    Map<Set<Endpoint>, List<Trial>> byPair = new LinkedHashMap<>();
    for (Trial trial : trials.bad()) {
      Pair pair = trial.pair();
      if (!pair.crosses()
          && trials.isGood(pair.first())
          && trials.isGood(pair.second())
          && !trials.wereGood(pair)) {
        byPair
            .computeIfAbsent(Set.of(pair.first(), pair.second()), _ -> new ArrayList<>())
            .add(trial);
      }
    }
    byPair
        .values()
        .forEach(bad -> between(Blamed.Kind.LINK, bad.getFirst().pair().toString(), bad));
  }

  /** Slow only once may have been luck; not getting through is not. */
  private void between(Blamed.Kind kind, String name, List<Trial> bad) {
    boolean failed = bad.stream().allMatch(it -> it.outcome() instanceof Outcome.Failed);
    if (bad.size() > 1 || failed) {
      blamed.add(blame(kind, name, bad));
    } else {
      undecided.add(
          kind.words() + " " + name + ": slow when measured once, both ends do well with others");
    }
  }

  private void uplinks() {
    Map<String, List<Trial>> byLeaf = new TreeMap<>();
    Map<String, List<Trial>> byPath = new TreeMap<>();
    Set<String> open = new HashSet<>();
    for (Trial trial : trials.bad()) {
      Endpoint first = trial.pair().first();
      Endpoint second = trial.pair().second();
      if (!trial.pair().crosses() || !trials.isGood(first) || !trials.isGood(second)) {
        continue;
      }
      boolean firstProven = trials.hasGoodUplinks(first.leaf());
      boolean secondProven = trials.hasGoodUplinks(second.leaf());
      if (firstProven && secondProven && trials.wereGood(trial.pair())) {
        continue; // it did well when it was measured again
      }
      if (firstProven && secondProven) {
        byPath
            .computeIfAbsent(first.leaf() + " - " + second.leaf(), _ -> new ArrayList<>())
            .add(trial);
      } else if (firstProven || secondProven) {
        byLeaf
            .computeIfAbsent(firstProven ? second.leaf() : first.leaf(), _ -> new ArrayList<>())
            .add(trial);
      } else {
        open.add(first.leaf());
        open.add(second.leaf());
      }
    }
    byLeaf.forEach((leaf, bad) -> blamed.add(blame(Blamed.Kind.UPLINK, leaf, bad)));
    byPath.forEach((path, bad) -> between(Blamed.Kind.PATH, path, bad));
    open.stream()
        .filter(it -> !byLeaf.containsKey(it))
        .sorted()
        .forEach(
            it ->
                undecided.add("uplinks of leaf " + it + ": no good leaf was left to try it with"));
  }

  private Blamed blame(Blamed.Kind kind, String name, List<Trial> bad) {
    boolean failed = bad.stream().allMatch(it -> it.outcome() instanceof Outcome.Failed);
    double share = bad.stream().mapToDouble(trials::share).filter(it -> it > 0).average().orElse(0);
    return new Blamed(kind, name, failed, share, bad.stream().map(this::evidence).toList());
  }

  private String evidence(Trial trial) {
    return "round %d, %s: %s".formatted(trial.round(), trial.pair(), seen(trial));
  }

  private String seen(Trial trial) {
    return switch (trial.outcome()) {
      case Outcome.Failed failed -> failed.why();
      case Outcome.Measured measured ->
          String.format(
              Locale.ROOT,
              "%s GB/s, %.0f %% of what others reach",
              NetText.bandwidth(measured.gigabytesPerSecond()),
              trials.share(trial) * 100);
    };
  }
}
