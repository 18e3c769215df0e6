package dev.holdfast.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where nodes that were started one by one find each other.
 *
 * @param host the node that leads listens there
 * @param token who does not know it is refused; may be empty where only this machine is reached
 * @param nodes how many come
 * @param node which of them this is; below zero: whoever comes is numbered
 * @param hostname what this node is called
 * @param plan what it means to measure
 */
public record Rendezvous(
    String host,
    int port,
    String token,
    int nodes,
    int node,
    String hostname,
    String plan,
    double silenceSeconds) {
  public Rendezvous {
    if (nodes < 2) {
      throw new IllegalArgumentException("--nnodes: at least 2, not " + nodes);
    }
    if (node >= nodes) {
      throw new IllegalArgumentException(
          "--node-rank: there is no node %d of %d".formatted(node, nodes));
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("--rdzv: no port " + port);
    }
  }

  public InetAddress address() throws IOException {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new IOException("--rdzv: the host '" + host + "' is not known here", unknown);
    }
  }

  /** Off this machine a token is needed: everybody on the network could take part otherwise. */
  public void requireToken() throws IOException {
    if (token.isEmpty() && !address().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "--rdzv %s: give all nodes the same secret, in HOLDFAST_BENCH_TOKEN or --token-file"
              .formatted(host));
    }
  }

  double patienceSeconds() {
    return Math.max(10, 2 * silenceSeconds);
  }
}
