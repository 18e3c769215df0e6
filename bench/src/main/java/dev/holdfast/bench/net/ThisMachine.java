package dev.holdfast.bench.net;

import dev.holdfast.os.process.OwnProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** Ranks as processes of this machine, over loopback. */
public final class ThisMachine implements RankSite {
  /** A heap of this size is never filled: buffers are outside of it. */
  private static final List<String> OPTIONS =
      List.of("-Xms16m", "-Xmx64m", "-XX:+ExitOnOutOfMemoryError", "-XX:-MaxFDLimit");

  /** The command of a rank: this very program, with the same Java and jars. */
  static List<String> program() {
    return OwnProgram.command(OPTIONS, RankProcess.class.getName(), List.of());
  }

  @Override
  public RankRun start(int rank, String settings) throws IOException {
    return ChildRank.start(program(), settings);
  }

  @Override
  public InetAddress address() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public List<String> networks() {
    return List.of();
  }

  @Override
  public List<String> hosts() {
    return List.of();
  }

  @Override
  public String advice(int rank, int code) {
    return "";
  }
}
