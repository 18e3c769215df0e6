package dev.holdfast.doctor.container;

import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The control groups this process lives in, from its own up to the root: any of them may hold the
 * limit that bites. Version 2 has one tree, version 1 one for each controller; inside a container
 * the path may be the host's and lead nowhere, then the root of the tree is the container's own.
 *
 * @param folders from the innermost to the outermost
 */
record ControlGroup(boolean second, List<String> folders) {
  private static final String PATH = "/proc/self/cgroup";
  private static final String ROOT = "/sys/fs/cgroup";
  private static final int MAX_DEPTH = 32;

  /** The groups of this controller ({@code memory}, {@code cpu}, {@code pids}). */
  static ControlGroup require(NodeView node, String controller) {
    String unified = "";
    for (String line : node.require(PATH).split("\n")) {
      String[] words = line.split(":", 3);
      if (words.length < 3) {
        continue;
      }
      if (List.of(words[1].split(",")).contains(controller)) {
        return new ControlGroup(false, folders(ROOT + "/" + words[1], words[2]));
      }
      if (words[0].equals("0") && words[1].isEmpty()) {
        unified = words[2];
      }
    }
    if (unified.isEmpty()) {
      throw new Unavailable("this process is in no control group");
    }
    return new ControlGroup(true, folders(ROOT, unified));
  }

  /** The smallest number this file holds in any of the groups; empty when unlimited. */
  Optional<Bound> least(NodeView node, String file) {
    Bound least = null;
    for (String folder : folders) {
      OptionalLong value = node.number(folder + "/" + file);
      boolean real = value.isPresent() && value.getAsLong() < Long.MAX_VALUE / 2;
      if (real && (least == null || value.getAsLong() < least.value)) {
        least = new Bound(folder, value.getAsLong());
      }
    }
    return Optional.ofNullable(least);
  }

  /** A limit and the group that sets it. */
  record Bound(String folder, long value) {}

  /** Whether any of the groups shows this file: the controller is at work here. */
  boolean shows(NodeView node, String file) {
    return folders.stream().anyMatch(folder -> node.text(folder + "/" + file).isPresent());
  }

  private static List<String> folders(String root, String path) {
    List<String> folders = new ArrayList<>();
    String rest = path;
    while (rest.length() > 1 && !rest.contains("..") && folders.size() < MAX_DEPTH) {
      folders.add(root + rest);
      rest = rest.substring(0, Math.max(0, rest.lastIndexOf('/')));
    }
    folders.add(root);
    return List.copyOf(folders);
  }

  ControlGroup {
    folders = List.copyOf(folders);
  }
}
