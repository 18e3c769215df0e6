package dev.holdfast.peers.training;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.bytedeco.pytorch.global.torch;

/**
 * One rank of a small training job, the same as {@code examples/train_torch.py} without Python: the
 * store's client, gloo, the network and the optimizer are those of libtorch 2.10.
 *
 * <pre>holdfast run --nproc-per-node 4 -- java … TrainingRank STEPS MILLISECONDS_A_STEP FOLDER
 * </pre>
 *
 * <p>A run that was killed, stopped and restarted ends with the same weights as one that was not,
 * bit for bit: the last line says what they come to.
 */
public final class TrainingRank {
  private static final int CHECKPOINT_STEPS = 10;
  private static final long SEED = 20;
  private static final OutputStream OUTPUT = new FileOutputStream(FileDescriptor.out);

  private TrainingRank() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    long steps = Long.parseLong(arguments[0]);
    long pause = Long.parseLong(arguments[1]);
    Checkpoints checkpoints = new Checkpoints(Path.of(arguments[2]));
    torch.set_num_threads(1);
    Ranks ranks = Ranks.meet(System.getenv());
    Network network = new Network(SEED);
    long done = ranks.fromFirst(checkpoints.newest());
    if (done > 0) {
      checkpoints.load(done, network);
    }
    say(ranks, "%d ranks, from step %d".formatted(ranks.size(), done));
    for (long step = done + 1; step <= steps; step++) {
      Thread.sleep(pause);
      float loss = network.step(step, ranks);
      beat(step, loss);
      say(ranks, "step %d loss %.6f".formatted(step, loss));
      if (ranks.rank() == 0 && (step % CHECKPOINT_STEPS == 0 || step == steps)) {
        checkpoints.save(step, network);
      }
    }
    say(ranks, "done: step %d, weights sha256 %s".formatted(steps, network.sum()));
    ranks.gather();
    // Threads of libtorch are not waited for.
    Runtime.getRuntime().halt(0);
  }

  private static void say(Ranks ranks, String line) throws IOException {
    if (ranks.rank() == 0) {
      OUTPUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Says how far it is where the launcher looks, one line of JSON each. */
  private static void beat(long step, float loss) throws IOException {
    String file = System.getenv("HOLDFAST_BEAT_FILE");
    if (file != null) {
      Files.writeString(
          Path.of(file),
          String.format(
              Locale.ROOT,
              "{\"t\":%.3f,\"step\":%d,\"loss\":%.6f}\n",
              System.currentTimeMillis() / 1e3,
              step,
              loss),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
