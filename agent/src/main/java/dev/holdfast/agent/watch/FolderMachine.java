package dev.holdfast.agent.watch;

import dev.holdfast.doctor.node.FolderNode;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.nvml.Nvml;
import java.nio.file.Path;
import java.time.InstantSource;

/** A node laid out as a folder, which may change while it is watched: to try things out. */
public final class FolderMachine implements Machine {
  private final FolderNode node;
  private final InstantSource clock;

  public FolderMachine(Path folder, InstantSource clock) {
    this.node = FolderNode.open(folder);
    this.clock = clock;
  }

  @Override
  public String name() {
    return node.name();
  }

  @Override
  public NodeView look(Nvml.Depth depth) {
    return node.at(clock.instant());
  }

  @Override
  public NodeView glance() {
    return look(Nvml.Depth.PRESENCE);
  }

  @Override
  public void release() {}

  @Override
  public void close() {}
}
