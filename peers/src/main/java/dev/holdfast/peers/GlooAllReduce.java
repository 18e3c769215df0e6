package dev.holdfast.peers;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * all_reduce of libtorch over gloo, in place, float32, as {@code bench/peers/gloo_all_reduce.py}
 * does it: prints size and median seconds of a call, a line each.
 *
 * <p>Arguments: rank, ranks, port of rank 0's store, sizes with commas between them.
 */
public final class GlooAllReduce {
  private static final Milliseconds PATIENCE = new Milliseconds(60_000);
  private static final int FEW = 5;
  private static final int MOST = 2000;

  private final ProcessGroupGloo gloo;

  private GlooAllReduce(TCPStore store, int rank, int ranks) {
    ProcessGroupGloo.Options how = ProcessGroupGloo.Options.create(PATIENCE);
    how.devices(new GlooDeviceVector(ProcessGroupGloo.createDeviceForInterface("lo")));
    gloo = new ProcessGroupGloo(store, rank, ranks, how);
  }

  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    int ranks = Integer.parseInt(arguments[1]);
    torch.set_num_threads(1);
    TCPStoreOptions options = new TCPStoreOptions();
    options.port((short) Integer.parseInt(arguments[2]));
    options.isServer(rank == 0);
    options.waitWorkers(false);
    options.timeout(PATIENCE);
    TCPStore store = new TCPStore("127.0.0.1", options);
    GlooAllReduce measure = new GlooAllReduce(store, rank, ranks);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    for (String word : arguments[3].split(",", -1)) {
      long bytes = Long.parseLong(word);
      double median = measure.seconds(bytes, ranks);
      if (rank == 0) {
        out.printf(Locale.ROOT, "%d %.9f%n", bytes, median);
      }
    }
    measure.gloo.barrier()._wait();
    store.close();
    // Without the end of libtorch, which may die in the dynamic linker when all is done.
    Runtime.getRuntime().halt(0);
  }

  private double seconds(long bytes, int ranks) {
    Tensor data = torch.zeros(bytes / 4);
    TensorVector all = new TensorVector(data);
    double each = calls(all, FEW);
    each = calls(all, agreed(Math.clamp((long) (0.1 / each), 1, MOST)));
    double median = calls(all, agreed(Math.clamp((long) (0.33 / each), FEW, MOST)));
    data.fill_(new Scalar(1.0f));
    gloo.allreduce(all)._wait();
    float least = data.min().item_float();
    float most = data.max().item_float();
    if (least != ranks || most != ranks) {
      System.err.println("wrong values at " + bytes + " bytes");
      Runtime.getRuntime().halt(1);
    }
    return median;
  }

  /** Every rank does as many calls as rank 0 says. */
  private int agreed(int own) {
    Tensor told = Tensor.create((long) own);
    gloo.broadcast(new TensorVector(told))._wait();
    return (int) told.item_long();
  }

  private double calls(TensorVector data, int count) {
    gloo.barrier()._wait();
    double[] seconds = new double[count];
    for (int i = 0; i < count; i++) {
      long before = System.nanoTime();
      gloo.allreduce(data)._wait();
      seconds[i] = (System.nanoTime() - before) / 1e9;
    }
    Arrays.sort(seconds);
    return seconds[count / 2];
  }
}
