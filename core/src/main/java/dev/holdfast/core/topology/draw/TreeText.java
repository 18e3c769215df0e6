package dev.holdfast.core.topology.draw;

import static java.util.stream.Collectors.joining;

import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.core.topology.Device;
import dev.holdfast.core.topology.Part;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.draw.Row.Cell;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine for a person at a terminal: totals, then sockets with their memory, CPUs and devices,
 * then how far NUMA nodes and devices are from each other, then what the source left open.
 */
public final class TreeText {
  private static final int MOST_PLAIN = 4;
  private static final int MOST_DEVICES = 64;
  private static final int CPU_ROOM = 28;

  private final Style style;
  private final int width;

  public TreeText(Style style, int width) {
    this.style = style;
    this.width = Math.max(60, width);
  }

  public String write(Topology machine) {
    Sketch sketch = Sketch.of(machine);
    String host = machine.details().host();
    StringBuilder out = new StringBuilder();
    String name = host.isBlank() ? "machine" : Labels.clean(host);
    String source = Labels.clean(machine.details().source(), width - name.length() - 2);
    out.append(style.bold(name)).append(style.dim("  " + source)).append('\n');
    out.append(Wrap.hanging(Totals.of(machine).words(), 0, width)).append("\n\n");
    out.append(Row.lines(rows(sketch), style, width));
    Matrices matrices = new Matrices(style, width);
    out.append(matrices.distances(machine));
    out.append(matrices.links(machine));
    List<String> notes = new ArrayList<>(sketch.notes());
    notes.addAll(0, machine.details().notes());
    notes(notes, out);
    return out.toString();
  }

  private void notes(List<String> notes, StringBuilder out) {
    if (!notes.isEmpty()) {
      out.append('\n');
    }
    for (String note : notes) {
      String label = "note  ";
      String text = label + Wrap.hanging(Labels.clean(note, 400), label.length(), width);
      String cut = text.lines().map(line -> Wrap.cut(line, width)).collect(joining("\n"));
      out.append(style.dim(label)).append(cut.substring(label.length())).append('\n');
    }
  }

  private List<Row> rows(Sketch sketch) {
    List<Row> rows = new ArrayList<>();
    sketch.memory().stream()
        .filter(node -> !node.cpus().isEmpty())
        .forEach(node -> rows.add(numaNode(node, List.of())));
    for (Sketch.Socket socket : sketch.sockets()) {
      List<Row> inside = socket(socket);
      if (socket.known()) {
        rows.add(
            new Row(
                "socket",
                List.of(
                    Cell.bold(Labels.socket(socket.part())),
                    Cell.dim("cpus " + Labels.cpus(socket.part().cpus(), CPU_ROOM))),
                Labels.processor(socket.part()),
                inside));
      } else {
        rows.addAll(inside);
      }
    }
    sketch.memory().stream()
        .filter(node -> node.cpus().isEmpty())
        .forEach(node -> rows.add(numaNode(node, List.of())));
    if (!sketch.devices().isEmpty()) {
      String title =
          sketch.sockets().size() == 1 && sketch.sockets().getFirst().cards().size() == 1
              ? "devices"
              : "devices of which no NUMA node is known";
      List<Cell> cells = List.of(Cell.bold(title));
      rows.add(new Row("devices", cells, "", devices(sketch.devices())));
    }
    return rows;
  }

  private List<Row> socket(Sketch.Socket socket) {
    List<Row> rows = new ArrayList<>();
    socket.memory().forEach(node -> rows.add(numaNode(node, List.of())));
    for (Sketch.Card card : socket.cards()) {
      List<Row> devices = devices(card.devices());
      if (card.memory().size() == 1) {
        rows.add(numaNode(card.memory().getFirst(), cpuRows(card, devices)));
      } else {
        card.memory().forEach(node -> rows.add(numaNode(node, List.of())));
        rows.addAll(cpuRows(card, devices));
      }
    }
    rows.addAll(devices(socket.devices()));
    return rows;
  }

  private static List<Row> cpuRows(Sketch.Card card, List<Row> devices) {
    List<Row> rows = new ArrayList<>();
    List<CpuPhrase> phrases = CpuPhrase.of(card.part());
    for (CpuPhrase phrase : phrases) {
      String cpus = phrases.size() == 1 && card.memory().size() == 1 ? "" : cpus(phrase);
      rows.add(new Row("cpus", List.of(Cell.plain(phrase.text()), Cell.dim(cpus)), "", List.of()));
    }
    rows.addAll(devices);
    return rows;
  }

  private static String cpus(CpuPhrase phrase) {
    return "cpus " + Labels.cpus(phrase.cpus(), CPU_ROOM);
  }

  private static Row numaNode(Part node, List<Row> below) {
    String cpus = node.cpus().isEmpty() ? "no CPUs" : "cpus " + Labels.cpus(node.cpus(), CPU_ROOM);
    boolean simple = below.stream().filter(row -> row.sort().equals("cpus")).count() == 1;
    return new Row(
        "numa",
        List.of(Cell.bold(Labels.numaNode(node)), Cell.plain(Labels.memory(node)), Cell.dim(cpus)),
        simple ? below.getFirst().cells().getFirst().text() : "",
        simple ? below.subList(1, below.size()) : below);
  }

  private List<Row> devices(List<Branch> branches) {
    List<Row> rows = new ArrayList<>();
    List<Device> plain =
        branches.stream()
            .filter(branch -> branch.kind() == Branch.Kind.DEVICE)
            .map(Branch::device)
            .filter(device -> device.kind() == Device.Kind.OTHER)
            .toList();
    boolean together = plain.size() > MOST_PLAIN;
    for (Branch branch : branches) {
      if (rows.size() == MOST_DEVICES) {
        rows.add(Row.of("… and %d more".formatted(branches.size() - MOST_DEVICES)));
        break;
      }
      if (branch.kind() != Branch.Kind.DEVICE) {
        List<Cell> cells = List.of(Cell.plain(branch.label()));
        rows.add(new Row("switch", cells, "", devices(branch.branches())));
      } else if (!together || branch.device().kind() != Device.Kind.OTHER) {
        rows.add(device(branch.device()));
      }
    }
    if (together) {
      rows.add(
          Row.of(
              "%d network interfaces, %s to %s"
                  .formatted(
                      plain.size(), Labels.name(plain.getFirst()), Labels.name(plain.getLast()))));
    }
    return rows;
  }

  private static Row device(Device device) {
    Cell name =
        switch (device.kind()) {
          case GPU -> new Cell(Labels.name(device), Style::green);
          case NIC, NVME -> Cell.bold(Labels.name(device));
          case OTHER -> Cell.plain(Labels.name(device));
        };
    String state = Labels.state(device);
    Cell stateCell = Labels.down(device) ? new Cell(state, Style::red) : Cell.plain(state);
    List<String> rest = new ArrayList<>(Labels.remarks(device));
    String model = Labels.model(device);
    if (!model.isEmpty()) {
      rest.addFirst(model);
    }
    return new Row(
        "device " + device.kind(),
        List.of(
            name,
            Cell.dim(Labels.clean(device.pci(), 16)),
            Cell.plain(Labels.rate(device)),
            stateCell,
            Cell.plain(String.join(", ", rest))),
        "",
        List.of());
  }
}
