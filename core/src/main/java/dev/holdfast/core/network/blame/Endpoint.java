package dev.holdfast.core.network.blame;

/**
 * Where traffic begins and ends: one adapter of one node.
 *
 * @param nic the adapter with its cable, which a measurement cannot tell apart; may be empty where
 *     a node has one
 * @param leaf the switch it is cabled to; the same for all where it is not known
 */
public record Endpoint(String node, String nic, String leaf) {
  @Override
  public String toString() {
    return nic.isEmpty() ? node : node + "/" + nic;
  }
}
