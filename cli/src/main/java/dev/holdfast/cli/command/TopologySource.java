package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.TopologyReader;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import dev.holdfast.doctor.topology.NodeTopology;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which machine is meant? This one, a node recorded by {@code holdfast snapshot}, or one that
 * another tool described in a file. What a file is, its content tells; its name does not matter.
 */
final class TopologySource {
  /** No machine needs more; a wrong file is refused before it fills the memory. */
  static final int MAX_BYTES = 64 << 20;

  private TopologySource() {}

  /** The machine in the file, in the folder, on stdin when the file is {@code -}, or this one. */
  static Topology read(@Nullable Path from) {
    if (from == null) {
      return of(LiveExamination.of(false).node());
    }
    if (Files.isDirectory(from)) {
      return of(SnapshotArchive.open(from));
    }
    boolean standardInput = from.toString().equals("-");
    String name = standardInput ? "stdin" : from.toString();
    try (InputStream stream = standardInput ? System.in : Files.newInputStream(from)) {
      return parse(name, stream.readNBytes(MAX_BYTES + 1));
    } catch (IOException e) {
      throw new HoldfastException(ErrorCode.UNREADABLE_INPUT, name + ": " + Failures.why(e), e);
    }
  }

  private static Topology parse(String name, byte[] content) throws IOException {
    if (content.length > MAX_BYTES) {
      throw new HoldfastException(
          ErrorCode.BAD_TOPOLOGY, name + ": longer than " + (MAX_BYTES >> 20) + " MiB");
    }
    if (content.length > 1 && content[0] == 'P' && content[1] == 'K') {
      return of(SnapshotArchive.read(name, new ByteArrayInputStream(content)));
    }
    try {
      return TopologyReader.read(new String(content, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new HoldfastException(ErrorCode.BAD_TOPOLOGY, name + ": " + e.getMessage(), e);
    }
  }

  private static Topology of(NodeView node) {
    try {
      return NodeTopology.of(node);
    } catch (Unavailable e) {
      throw new HoldfastException(ErrorCode.BAD_TOPOLOGY, node.name() + ": " + e.getMessage(), e);
    }
  }
}
