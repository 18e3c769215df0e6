package dev.holdfast.control.decide;

import dev.holdfast.control.entry.Cause;
import dev.holdfast.control.state.NodeView;
import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What may be behind a finding, the nearest first: the part itself, then what it shares with
 * others.
 */
final class Causes {
  private Causes() {}

  static List<Cause> of(Finding finding, Optional<NodeView> node) {
    List<Cause> causes = new ArrayList<>();
    switch (finding.subject()) {
      case Subject.Node subject -> causes.add(new Cause("node", subject.node()));
      case Subject.Part part -> {
        causes.add(new Cause(part.kind(), part.toString()));
        node.flatMap(it -> device(it, part))
            .filter(it -> !it.pciSwitch().isEmpty())
            .ifPresent(
                it -> causes.add(new Cause("pci-switch", part.node() + "/" + it.pciSwitch())));
        causes.add(new Cause("node", part.node()));
      }
      case Subject.Switch subject -> {
        if (!subject.port().isEmpty()) {
          causes.add(new Cause("port", subject.toString()));
        }
        causes.add(new Cause("leaf", subject.name()));
      }
      case Subject.Link link -> causes.add(new Cause("link", link.name()));
      case Subject.Volume volume -> causes.add(new Cause("volume", volume.name()));
      case Subject.Job job -> causes.add(new Cause("job", job.job()));
      case Subject.Source source -> causes.add(new Cause("source", source.name()));
    }
    node.ifPresent(it -> shared(it, finding.faultClass(), causes));
    return causes;
  }

  private static Optional<DeviceDescription> device(NodeView node, Subject.Part part) {
    String name = String.join("/", part.path().subList(1, part.path().size()));
    return node.description().stream()
        .flatMap(it -> it.devices().stream())
        .filter(it -> it.kind().equals(part.kind()) && it.name().equals(name))
        .findFirst();
  }

  /** What nodes share that can break faults of that class into many of them at once. */
  private static void shared(NodeView node, FaultClass faultClass, List<Cause> causes) {
    List<String> kinds =
        switch (faultClass) {
          case NETWORK -> List.of("leaf", "rail", "power", "rack");
          case STORAGE -> List.of("volume", "rack");
          case HARDWARE, UNKNOWN -> List.of("power", "rack", "leaf");
          case CONFIGURATION, SOFTWARE -> List.of("volume");
          case NUMERICS, USER -> List.of();
        };
    for (String kind : kinds) {
      String name = node.place(kind);
      if (!name.isEmpty()) {
        causes.add(new Cause(kind, name));
      }
    }
    if (faultClass != FaultClass.NETWORK && faultClass != FaultClass.STORAGE) {
      node.description()
          .ifPresent(
              it -> it.versions().forEach((kind, name) -> causes.add(new Cause(kind, name))));
    }
  }
}
