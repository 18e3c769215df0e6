package dev.holdfast.agent.watch;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.os.file.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node of which some probes are answered by us. */
public record Overlay(NodeView node, Map<String, Reading> probes) implements NodeView {
  public Overlay {
    probes = Map.copyOf(probes);
  }

  @Override
  public String name() {
    return node.name();
  }

  @Override
  public Instant now() {
    return node.now();
  }

  @Override
  public Reading read(String path) {
    return node.read(path);
  }

  @Override
  public List<String> list(String path) {
    return node.list(path);
  }

  @Override
  public Optional<String> link(String path) {
    return node.link(path);
  }

  @Override
  public Reading probe(String name) {
    Reading ours = probes.get(name);
    return ours == null ? node.probe(name) : ours;
  }
}
