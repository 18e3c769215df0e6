package dev.holdfast.core.forensics.logs;

import java.io.IOException;
import java.io.InputStream;

/**
 * One file of a run, or whatever else gives bytes.
 *
 * @param name as people should read it: a path below the folder
 * @param kind what it holds, as far as its name tells
 * @param rank whose output it is, −1: not told by its name
 * @param local the place of the rank on its node, −1: not told by its name
 * @param node where it was written, empty: not told by its name
 * @param writtenMillis when it was last written, since 1970; 0: not known
 */
public record LogSource(
    String name, Kind kind, int rank, int local, String node, long writtenMillis, Door door) {

  /** What a file holds. */
  public enum Kind {
    /** Output of ranks, launchers, schedulers. */
    OUTPUT,
    KERNEL
  }

  /** Opens the file; whoever opens closes. */
  public interface Door {
    InputStream open() throws IOException;
  }

  /** Ranks whose output lies side by side share this: {@code stdout.log} and {@code stderr.log}. */
  String place() {
    int slash = name.lastIndexOf('/');
    return slash < 0 ? "" : name.substring(0, slash);
  }
}
