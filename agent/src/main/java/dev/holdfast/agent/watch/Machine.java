package dev.holdfast.agent.watch;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.nvml.Nvml;

/** The node that is watched, looked at anew for each round. */
public interface Machine extends AutoCloseable {
  String name();

  /**
   * The node as it is now.
   *
   * @param depth how much an accelerator's library is asked for it
   */
  NodeView look(Nvml.Depth depth);

  /** The node as it is now, with what the accelerators said last: never waits for a library. */
  NodeView glance();

  /** Lets go of the accelerators, so that somebody may reset one; the next look takes them up. */
  void release();

  @Override
  void close();
}
