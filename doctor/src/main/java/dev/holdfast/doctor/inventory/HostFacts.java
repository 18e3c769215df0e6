package dev.holdfast.doctor.inventory;

import dev.holdfast.doctor.node.NodeView;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The machine and its operating system: processors, memory, board, firmware, kernel. */
final class HostFacts {
  private static final String PROCESSORS = "/proc/cpuinfo";
  private static final String MEMORY = "/proc/meminfo";
  private static final String NODES = "/sys/devices/system/node";
  private static final String BOARD = "/sys/class/dmi/id/";
  private static final String SYSTEM = "/etc/os-release";

  private HostFacts() {}

  static void add(FactSheet sheet, NodeView node) {
    node.read(PROCESSORS).text().ifPresent(text -> processors(sheet, text));
    long numa = node.list(NODES).stream().filter(name -> name.matches("node\\d{1,5}")).count();
    if (numa > 0) {
      sheet.add("numa.nodes", numa, "", NODES);
    }
    row(node, MEMORY, "MemTotal:")
        .map(size -> size.replace("kB", "").strip())
        .filter(size -> size.matches("\\d{1,15}"))
        .ifPresent(size -> sheet.add("memory.bytes", Long.parseLong(size) * 1024, "bytes", MEMORY));
    sheet.file("board.vendor", BOARD + "board_vendor");
    sheet.file("board.name", BOARD + "board_name");
    sheet.file("system.vendor", BOARD + "sys_vendor");
    sheet.file("system.product", BOARD + "product_name");
    sheet.file("bios.vendor", BOARD + "bios_vendor");
    sheet.file("bios.version", BOARD + "bios_version");
    sheet.file("bios.date", BOARD + "bios_date");
    sheet.add(
        "os.name",
        row(node, SYSTEM, "PRETTY_NAME=").map(text -> text.replace("\"", "").strip()),
        SYSTEM);
    sheet.file("kernel.release", "/proc/sys/kernel/osrelease");
    sheet.add(
        "kernel.commandline", node.text("/proc/cmdline").map(HostFacts::common), "/proc/cmdline");
  }

  private static void processors(FactSheet sheet, String text) {
    int count = 0;
    String model = "";
    Set<String> sockets = new HashSet<>();
    for (String line : text.split("\n")) {
      int colon = line.indexOf(':');
      String name = colon < 0 ? "" : line.substring(0, colon).strip();
      switch (name) {
        case "processor" -> count++;
        case "model name", "cpu model", "CPU part" ->
            model = model.isEmpty() ? line.substring(colon + 1).strip() : model;
        case "physical id" -> sockets.add(line.substring(colon + 1).strip());
        default -> {}
      }
    }
    sheet.add("processor.model", model, "", PROCESSORS);
    if (count > 0) {
      sheet.add("processor.count", count, "", PROCESSORS);
    }
    if (!sockets.isEmpty()) {
      sheet.add("processor.sockets", sockets.size(), "", PROCESSORS);
    }
  }

  /** The kernel's arguments without those that name this very node or its disks. */
  static String common(String arguments) {
    StringBuilder kept = new StringBuilder();
    for (String word : arguments.split("\\s+")) {
      boolean own =
          word.startsWith("BOOT_IMAGE=")
              || word.startsWith("root=")
              || word.startsWith("initrd=")
              || word.startsWith("resume=")
              || word.startsWith("ip=")
              || word.startsWith("BOOTIF=")
              || word.contains("UUID=")
              || word.startsWith("systemd.hostname=");
      if (!own) {
        kept.append(kept.isEmpty() ? "" : " ").append(word);
      }
    }
    return kept.toString();
  }

  private static Optional<String> row(NodeView node, String path, String start) {
    return node.read(path)
        .text()
        .flatMap(text -> text.lines().filter(line -> line.startsWith(start)).findFirst())
        .map(line -> line.substring(start.length()).strip());
  }
}
