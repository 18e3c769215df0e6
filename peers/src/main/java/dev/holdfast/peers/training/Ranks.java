package dev.holdfast.peers.training;

import java.util.Map;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * All ranks of the job, met through the launcher's store with libtorch's client and joined by its
 * gloo.
 */
final class Ranks {
  private static final Milliseconds PATIENCE = new Milliseconds(60_000);

  private final int rank;
  private final int size;

  /** A native store ends when nobody in Java holds it any more. */
  private final TCPStoreOptions options;

  private final TCPStore store;
  private final ProcessGroupGloo gloo;

  private Ranks(int rank, int size, String host, int port, String networkInterface) {
    this.rank = rank;
    this.size = size;
    this.options = new TCPStoreOptions();
    options.port((short) port);
    options.isServer(false);
    options.waitWorkers(false);
    options.timeout(PATIENCE);
    this.store = new TCPStore(host, options);
    ProcessGroupGloo.Options how = ProcessGroupGloo.Options.create(PATIENCE);
    how.devices(new GlooDeviceVector(ProcessGroupGloo.createDeviceForInterface(networkInterface)));
    this.gloo = new ProcessGroupGloo(store, rank, size, how);
  }

  /** Meets the others where the launcher's variables say. */
  static Ranks meet(Map<String, String> environment) {
    return new Ranks(
        Integer.parseInt(environment.getOrDefault("RANK", "0")),
        Integer.parseInt(environment.getOrDefault("WORLD_SIZE", "1")),
        environment.getOrDefault("MASTER_ADDR", "127.0.0.1"),
        Integer.parseInt(environment.getOrDefault("MASTER_PORT", "29500")),
        environment.getOrDefault("GLOO_SOCKET_IFNAME", "lo"));
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  /** Replaces a tensor by the mean of all ranks' own. */
  void average(Tensor tensor) {
    gloo.allreduce(new TensorVector(tensor))._wait();
    tensor.div_(new Scalar((float) size));
  }

  /** What rank 0 says. */
  long fromFirst(long own) {
    Tensor told = Tensor.create(own);
    gloo.broadcast(new TensorVector(told))._wait();
    return told.item_long();
  }

  /** Waits until all are here. */
  void gather() {
    gloo.barrier()._wait();
  }
}
