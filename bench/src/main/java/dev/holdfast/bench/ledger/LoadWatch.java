package dev.holdfast.bench.ledger;

import java.util.List;

/** How busy do others keep this machine and its network, from now on? */
public final class LoadWatch {
  private final LoadSample began = LoadSample.now();
  private final long wire = loopbackBytes();

  private LoadWatch() {}

  public static LoadWatch begin() {
    return new LoadWatch();
  }

  /** How long it has been watched. */
  public double seconds() {
    return System.nanoTime() / 1e9 - began.seconds();
  }

  /** What there is to say now, where nothing is known of our own part of the traffic. */
  public Manifest.Load end() {
    return end(Manifest.Load.NOT_COUNTED);
  }

  /**
   * What there is to say now.
   *
   * @param ownBytes that we moved over loopback at most; {@link Manifest.Load#NOT_COUNTED} where
   *     loopback is not what is measured
   */
  public Manifest.Load end(long ownBytes) {
    Manifest.Load load = LoadSample.between(List.of(began), List.of(LoadSample.now()));
    return ownBytes < 0 ? load : load.foreign(foreign(ownBytes, seconds()));
  }

  private long foreign(long ownBytes, double seconds) {
    return Math.max(0, Math.round((loopbackBytes() - wire - ownBytes) / seconds));
  }

  private static long loopbackBytes() {
    return InterfaceBytes.received(MachineFacts.read("/proc/net/dev"), "lo");
  }
}
