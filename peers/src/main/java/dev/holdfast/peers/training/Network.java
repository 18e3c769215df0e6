package dev.holdfast.peers.training;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.InputArchive;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.OutputArchive;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** A small network that learns the sine of a sum, with the optimizer that trains it. */
final class Network {
  private static final int INPUTS = 16;
  private static final int HIDDEN = 64;
  private static final int POINTS = 32;

  private final LinearImpl first;
  private final LinearImpl second;
  private final TensorVector parameters;
  private final Adam optimizer;

  /** The same one for everybody who gives the same seed. */
  Network(long seed) {
    torch.manual_seed(seed);
    this.first = new LinearImpl(INPUTS, HIDDEN);
    this.second = new LinearImpl(HIDDEN, 1);
    this.parameters =
        new TensorVector(first.weight(), first.bias(), second.weight(), second.bias());
    this.optimizer = new Adam(parameters, new AdamOptions(1e-2));
  }

  /** One step on points that depend on step and rank alone; this rank's loss. */
  float step(long step, Ranks ranks) {
    SplittableRandom random = new SplittableRandom(1_000_003 * step + ranks.rank());
    float[] points = new float[POINTS * INPUTS];
    float[] wanted = new float[POINTS];
    for (int i = 0; i < points.length; i++) {
      points[i] = (float) random.nextGaussian();
      wanted[i / INPUTS] += points[i];
    }
    for (int i = 0; i < POINTS; i++) {
      wanted[i] = (float) StrictMath.sin(wanted[i]);
    }
    optimizer.zero_grad();
    Tensor answers = second.forward(first.forward(Tensor.create(points, POINTS, INPUTS)).tanh());
    Tensor loss = torch.mse_loss(answers, Tensor.create(wanted, POINTS, 1));
    loss.backward();
    for (long i = 0; i < parameters.size(); i++) {
      ranks.average(parameters.get(i).grad());
    }
    optimizer.step();
    return loss.item_float();
  }

  void save(Path file) {
    OutputArchive archive = new OutputArchive();
    for (long i = 0; i < parameters.size(); i++) {
      archive.write("parameter" + i, parameters.get(i));
    }
    OutputArchive inner = new OutputArchive(archive.compilation_unit());
    optimizer.save(inner);
    archive.write("optimizer", inner);
    archive.save_to(file.toString());
  }

  void load(Path file) {
    InputArchive archive = new InputArchive();
    archive.load_from(file.toString());
    for (long i = 0; i < parameters.size(); i++) {
      archive.read("parameter" + i, parameters.get(i));
    }
    InputArchive inner = new InputArchive();
    archive.read("optimizer", inner);
    optimizer.load(inner);
  }

  /** SHA-256 over all weights, bit for bit. */
  String sum() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (long i = 0; i < parameters.size(); i++) {
        FloatBuffer weights = parameters.get(i).detach().createBuffer();
        ByteBuffer bytes = ByteBuffer.allocate(weights.remaining() * Float.BYTES);
        bytes.asFloatBuffer().put(weights);
        digest.update(bytes.array());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
