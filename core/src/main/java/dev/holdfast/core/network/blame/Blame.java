package dev.holdfast.core.network.blame;

import dev.holdfast.core.network.blame.Trials.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Finds which node, adapter, link or leaf spoils the network, in rounds of disjoint pairs.
 *
 * <p>First neighbours under each leaf are measured: a pair that does well proves both ends good,
 * one that does not makes both suspects. Then each suspect is tried with somebody proven good under
 * the same leaf, and where none is left with somebody under another; meanwhile idle good endpoints
 * try the uplinks of the leaves. Whoever does badly with two partners that are good is bad itself;
 * two that do well with others but not with each other have a bad link; a leaf whose good endpoints
 * do badly with good endpoints of other leaves has bad uplinks. A third round tells those apart,
 * and measures again what was bad only once.
 *
 * <p>What this rests on: traffic through anything bad is bad each time, an endpoint has at most one
 * bad link beside its own adapter and cable, and at least half of all measurements are good. Two
 * rounds are enough where links may be trusted. What the rounds cannot pin down is said to be
 * undecided, never guessed: an innocent node taken out of service costs as much as a bad one left
 * in it.
 */
public final class Blame {
  /** Enough for nodes and adapters when links are trusted. */
  public static final int NODES_ONLY = 2;

  /** Enough to tell links from nodes. */
  public static final int WITH_LINKS = 3;

  /** How often the uplinks of a leaf are tried in a round, by endpoints that are idle otherwise. */
  private static final int PROBES = 4;

  private final List<Endpoint> endpoints;
  private final Measure measure;
  private final int most;
  private final Random random;
  private final Trials trials = new Trials();
  private int round;

  private Blame(List<Endpoint> endpoints, Measure measure, int most, Random random) {
    this.endpoints = List.copyOf(endpoints);
    this.measure = measure;
    this.most = most;
    this.random = random;
  }

  /**
   * Measures until every fault is named or the rounds are used up.
   *
   * @param most {@link #NODES_ONLY} or {@link #WITH_LINKS}
   * @param seed of who is measured with whom: another one gives other pairs
   */
  public static BlameReport find(List<Endpoint> endpoints, Measure measure, int most, long seed) {
    if (most < NODES_ONLY) {
      throw new IllegalArgumentException(most + " rounds cannot name anybody");
    }
    if (endpoints.stream().distinct().count() != endpoints.size()) {
      throw new IllegalArgumentException("an endpoint is listed twice");
    }
    return new Blame(endpoints, measure, most, new Random(seed)).run();
  }

  private BlameReport run() {
    measure(Pairing.neighbours(endpoints, random));
    Conviction conviction = new Conviction(endpoints, trials, most >= WITH_LINKS);
    while (round < most) {
      List<Pair> pairs = next(conviction);
      if (pairs.isEmpty()) {
        break;
      }
      measure(pairs);
    }
    return conviction.report(round);
  }

  private void measure(List<Pair> pairs) {
    round++;
    trials.add(round, pairs, measure.round(round, pairs));
  }

  private List<Pair> next(Conviction conviction) {
    Pairing pairing = new Pairing(trials, endpoints, random);
    if (round > 1) {
      suspectedLinks().forEach(pairing::add);
    }
    List<Endpoint> alone = new ArrayList<>();
    for (Endpoint suspect : endpoints) {
      if (!trials.isGood(suspect)
          && !conviction.isConvicted(suspect)
          && !pairing.insideLeaf(suspect)) {
        alone.add(suspect);
      }
    }
    List<Endpoint> left = alone.stream().filter(suspect -> !pairing.acrossLeaves(suspect)).toList();
    pairing.amongThemselves(left);
    List<String> leaves = endpoints.stream().map(Endpoint::leaf).distinct().toList();
    List<String> unproven = leaves.stream().filter(it -> !trials.hasGoodUplinks(it)).toList();
    for (int i = 0; i < PROBES; i++) {
      pairing.uplinks(unproven);
    }
    return pairing.pairs();
  }

  /**
   * Both ends are good, and the uplinks between them, yet they were not good together: worth a
   * second look.
   */
  private List<Pair> suspectedLinks() {
    return trials.bad().stream()
        .map(Trial::pair)
        .filter(it -> trials.isGood(it.first()) && trials.isGood(it.second()))
        .filter(
            it ->
                !it.crosses()
                    || trials.hasGoodUplinks(it.first().leaf())
                        && trials.hasGoodUplinks(it.second().leaf()))
        .distinct()
        .toList();
  }
}
