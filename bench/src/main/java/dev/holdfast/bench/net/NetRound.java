package dev.holdfast.bench.net;

import dev.holdfast.bench.ledger.LoadSample;
import dev.holdfast.bench.ledger.LoadWatch;
import dev.holdfast.bench.ledger.Manifest.Load;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one round brought, and how busy others kept the machine meanwhile, or the hosts of the
 * ranks, where these are elsewhere. A round that was cut short counts as the noisiest of all.
 */
final class NetRound {
  /** The kernel counts in hundredths of a second: shorter rounds cannot be judged by that. */
  private static final double JUDGED_SECONDS = 1;

  private final LoadWatch watch = LoadWatch.begin();
  private final boolean here;
  private List<LoadSample> began = List.of();
  private List<LoadSample> ended = List.of();
  private final OwnTraffic own;
  private final Map<Operation, double[]> calls = new HashMap<>();
  private List<Load> load = List.of();
  private double noise = Double.POSITIVE_INFINITY;

  /**
   * @param here whether all ranks are on this machine
   */
  NetRound(NetPlan plan, boolean here) {
    this.here = here;
    this.own = new OwnTraffic(here && plan.transport() == Transport.TCP);
  }

  /** Ranks on other hosts looked at these before anything was measured. */
  void began(List<LoadSample> ranks) {
    began = List.copyOf(ranks);
  }

  /** Everything was measured, and they looked again. */
  void ended(List<LoadSample> ranks) {
    ended = List.copyOf(ranks);
  }

  OwnTraffic own() {
    return own;
  }

  /** The time of each single call, in seconds. */
  void measured(Operation operation, double[] seconds) {
    calls.put(operation, seconds);
  }

  /** Every operation was measured, and the ranks have ended. */
  void complete() {
    if (here) {
      complete(watch.seconds(), watch.end(own.bytes()));
    } else {
      complete(
          ended.getFirst().seconds() - began.getFirst().seconds(),
          LoadSample.worst(began, ended).orElseThrow());
    }
  }

  void complete(double seconds, Load seen) {
    boolean judged = seconds >= JUDGED_SECONDS;
    load = judged ? List.of(seen) : List.of();
    noise = judged ? seen.noise() : 0;
  }

  /** One figure for how noisy it was; above 1 it should be measured again. */
  double noise() {
    return noise;
  }

  boolean quiet() {
    return noise <= 1;
  }

  List<Load> load() {
    return load;
  }

  /** None where it was not measured. */
  double[] calls(Operation operation) {
    return calls.getOrDefault(operation, new double[0]);
  }
}
