package dev.holdfast.bench.store;

import dev.holdfast.bench.peer.Contender;
import java.util.List;

/**
 * All that was measured.
 *
 * @param lookupOff whether servers were kept from asking name servers
 * @param loadBefore how busy the machine was before, and
 * @param loadAfter after it
 */
public record StoreResult(
    StorePlan plan, Samples samples, boolean lookupOff, String loadBefore, String loadAfter) {

  /** Ours beside each of the others. */
  List<Comparison> comparisons() {
    return plan.contenders().stream()
        .skip(1)
        .map(Contender::name)
        .map(peer -> new Comparison(this, ours(), peer))
        .toList();
  }

  String ours() {
    return plan.contenders().getFirst().name();
  }

  /** The lowest throughput of ours as a share of a peer's; 1 when there is nothing to compare. */
  public double lowestThroughput() {
    return comparisons().stream()
        .flatMap(comparison -> comparison.rows().stream())
        .filter(row -> row.of().measure().equals(Case.LOAD) && !Double.isNaN(row.ratio()))
        .mapToDouble(Row::ratio)
        .min()
        .orElse(1);
  }
}
