package dev.holdfast.doctor.memory;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The memory controllers and modules that EDAC counts errors of. */
final class MemoryControllers {
  static final String ROOT = "/sys/devices/system/edac/mc";
  private static final int MAX_CONTROLLERS = 128;
  private static final int MAX_MODULES = 64;

  /**
   * A module, or a controller that does not tell its modules apart.
   *
   * @param label what the board calls it, else its EDAC name
   */
  record Module(String folder, String label, long corrected, long uncorrected, String prefix) {
    String correctedSource() {
      return folder + "/" + prefix + "ce_count";
    }

    String uncorrectedSource() {
      return folder + "/" + prefix + "ue_count";
    }

    /** A short name that is the same in every run. */
    String name() {
      return folder.substring(ROOT.length() + 1).replace('/', '.');
    }
  }

  private MemoryControllers() {}

  static List<Module> read(NodeView node) {
    List<Module> modules = new ArrayList<>();
    for (String controller : numbered(node.list(ROOT), "mc", MAX_CONTROLLERS)) {
      String folder = ROOT + "/" + controller;
      List<String> names = node.list(folder);
      List<String> slots = new ArrayList<>(numbered(names, "dimm", MAX_MODULES));
      slots.addAll(numbered(names, "rank", MAX_MODULES));
      int before = modules.size();
      for (String slot : slots) {
        add(node, modules, folder + "/" + slot, "dimm_", controller + "/" + slot);
      }
      if (modules.size() == before) {
        add(node, modules, folder, "", controller);
      }
    }
    return modules;
  }

  private static void add(
      NodeView node, List<Module> modules, String folder, String prefix, String name) {
    OptionalLong corrected = node.number(folder + "/" + prefix + "ce_count");
    OptionalLong uncorrected = node.number(folder + "/" + prefix + "ue_count");
    if (corrected.isPresent() || uncorrected.isPresent()) {
      String label = node.text(folder + "/dimm_label").filter(text -> !text.isEmpty()).orElse(name);
      modules.add(new Module(folder, label, corrected.orElse(0), uncorrected.orElse(0), prefix));
    }
  }

  private static List<String> numbered(List<String> names, String kind, int most) {
    return names.stream()
        .filter(name -> name.startsWith(kind) && name.length() > kind.length())
        .filter(name -> Character.isDigit(name.charAt(kind.length())))
        .limit(most)
        .toList();
  }
}
