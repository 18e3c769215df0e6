package dev.holdfast.core.topology.draw;

import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.PartKind;
import dev.holdfast.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine as people think of it: sockets, in them NUMA nodes with their CPUs, at those the
 * devices. hwloc's tree nests these in several ways; here each comes to one.
 *
 * @param sockets one without a package where the source knows none
 * @param memory NUMA nodes of no single socket
 * @param devices those of no single socket
 * @param notes what is left out of the sketch
 */
record Sketch(List<Socket> sockets, List<Part> memory, List<Branch> devices, List<String> notes) {
  private static final int MOST_SOCKETS = 64;
  private static final int MOST_CARDS = 64;

  /**
   * A package, or the machine where packages are unknown.
   *
   * @param memory NUMA nodes that all of its cards share
   * @param devices those of no single card
   */
  record Socket(Part part, List<Part> memory, List<Card> cards, List<Branch> devices) {
    boolean known() {
      return part.kind() == PartKind.PACKAGE;
    }
  }

  /** CPUs with the memory local to them and their devices. */
  record Card(Part part, List<Part> memory, List<Branch> devices) {}

  static Sketch of(Topology machine) {
    List<String> notes = new ArrayList<>();
    List<Frame> frames = new ArrayList<>();
    List<Part> outer = new ArrayList<>(nodes(machine.root().memory()));
    if (hasPackage(machine.root())) {
      frames(machine.root(), frames, outer);
    } else {
      frames.add(new Frame(machine.root(), machine.root()));
      outer.clear();
    }
    frames = most(frames, MOST_SOCKETS, "packages", notes);
    List<Device> left = new ArrayList<>(Interfaces.withPlainOnes(machine));
    left = most(left, Interfaces.MOST, "devices", notes);
    List<Socket> sockets = new ArrayList<>();
    for (Frame frame : frames) {
      List<Part> shared = new ArrayList<>();
      List<Card> bare = new ArrayList<>();
      cards(frame.outer(), shared, bare);
      boolean single = frames.size() == 1 && bare.size() == 1;
      List<Card> cards = new ArrayList<>();
      for (Card card : most(bare, MOST_CARDS, "NUMA nodes", notes)) {
        List<Part> memory = new ArrayList<>(card.memory());
        if (single) {
          memory.addAll(outer);
          outer.clear();
        }
        Part place = single ? machine.root() : card.part();
        cards.add(new Card(card.part(), memory, Branch.of(machine, take(machine, left, place))));
      }
      List<Device> own =
          frame.outer() == machine.root() ? List.of() : take(machine, left, frame.outer());
      sockets.add(
          new Socket(
              frame.part(),
              most(shared, MOST_CARDS, "NUMA nodes", notes),
              cards,
              Branch.of(machine, own)));
    }
    outer = most(outer, MOST_CARDS, "NUMA nodes", notes);
    return new Sketch(sockets, outer, Branch.of(machine, left), notes);
  }

  /**
   * What becomes a socket: a package, or the memory around several.
   *
   * @param part what it is called after
   * @param outer what belongs to it
   */
  private record Frame(Part part, Part outer) {}

  private static void frames(Part part, List<Frame> frames, List<Part> memory) {
    for (Part child : part.children()) {
      if (child.cpus().isEmpty()) {
        memory.addAll(nodes(child.memory()));
      } else if (child.kind() == PartKind.PACKAGE || !hasPackage(child)) {
        frames.add(new Frame(child, child));
      } else if (!child.memory().isEmpty()) {
        // A group that gives its packages memory: with one package it is that package.
        Part inner = child.children().getFirst();
        boolean one = child.children().size() == 1 && inner.kind() == PartKind.PACKAGE;
        frames.add(new Frame(one ? inner : child, child));
      } else {
        frames(child, frames, memory);
      }
    }
  }

  private static boolean hasPackage(Part part) {
    return part.children().stream()
        .anyMatch(child -> child.kind() == PartKind.PACKAGE || hasPackage(child));
  }

  private static <T> List<T> most(List<T> all, int limit, String what, List<String> notes) {
    if (all.size() <= limit) {
      return all;
    }
    notes.add(
        "only %d of %d %s are shown; --format json has all".formatted(limit, all.size(), what));
    return all.subList(0, limit);
  }

  /** The devices at a place, taken from those that are left. */
  private static List<Device> take(Topology machine, List<Device> left, Part place) {
    List<Device> taken =
        left.stream().filter(device -> machine.inside(device.anchor(), place)).toList();
    left.removeAll(taken);
    return taken;
  }

  /** One card for each innermost part with memory; what is beside them gets cards of its own. */
  private static void cards(Part part, List<Part> shared, List<Card> cards) {
    if (part.children().stream().noneMatch(Sketch::hasMemory)) {
      cards.add(new Card(part, nodes(part.memory()), List.of()));
      return;
    }
    shared.addAll(nodes(part.memory()));
    for (Part child : part.children()) {
      cards(child, shared, cards);
    }
  }

  private static boolean hasMemory(Part part) {
    return !part.memory().isEmpty() || part.children().stream().anyMatch(Sketch::hasMemory);
  }

  private static List<Part> nodes(List<Part> memory) {
    List<Part> nodes = new ArrayList<>();
    for (Part part : memory) {
      if (part.kind() == PartKind.NUMA_NODE) {
        nodes.add(part);
      }
      nodes.addAll(nodes(part.memory()));
    }
    return nodes;
  }
}
