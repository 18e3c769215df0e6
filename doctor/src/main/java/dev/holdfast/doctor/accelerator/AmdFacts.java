package dev.holdfast.doctor.accelerator;

import dev.holdfast.doctor.node.NodeView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What AMD's kernel driver says of its devices, from the files it keeps in sysfs: no library and no
 * tool is needed. Formats are those of the kernel's documentation of amdgpu.
 */
final class AmdFacts {
  private static final Map<String, String> TEXTS =
      Map.of(
          "product_name", "name",
          "product_number", "part.number",
          "serial_number", "serial",
          "unique_id", "uuid",
          "vbios_version", "vbios",
          "mem_info_vram_total", "memory.total.bytes",
          "mem_info_vram_used", "memory.used.bytes",
          "gpu_busy_percent", "utilisation.percent",
          "pcie_replay_count", "pci.replays");

  private final NodeView node;
  private final AcceleratorSlot slot;
  private final Map<String, String> facts = new HashMap<>();

  private AmdFacts(NodeView node, AcceleratorSlot slot) {
    this.node = node;
    this.slot = slot;
  }

  static List<Accelerator> read(NodeView node, List<AcceleratorSlot> slots) {
    List<Accelerator> devices = new ArrayList<>();
    for (AcceleratorSlot slot : slots) {
      if (slot.vendor().equals("amd") && slot.driver().filter("amdgpu"::equals).isPresent()) {
        Map<String, String> facts = new AmdFacts(node, slot).facts();
        String source = "amdgpu " + slot.address() + " ";
        devices.add(new Accelerator(node.name(), devices.size(), "amd", facts, source));
      }
    }
    return devices;
  }

  private Map<String, String> facts() {
    facts.put("pci.address", slot.address());
    facts.put("pci.device", slot.product() + "1002");
    Product.find("amd", slot.product()).ifPresent(product -> facts.put("name", product.name()));
    TEXTS.forEach(
        (file, fact) ->
            node.text(slot.folder() + "/" + file)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> facts.put(fact, text)));
    link();
    errors();
    clocks();
    for (String monitor : node.list(slot.folder() + "/hwmon")) {
      sensors(slot.folder() + "/hwmon/" + monitor + "/");
    }
    return facts;
  }

  private void link() {
    put("pci.width.current", node.number(slot.folder() + "/current_link_width"));
    put("pci.width.maximum", node.number(slot.folder() + "/max_link_width"));
    put("pci.generation.current", generation("/current_link_speed"));
    put("pci.generation.maximum", generation("/max_link_speed"));
    put("pci.generation.slot", generation("/max_link_speed"));
  }

  /** {@code 32.0 GT/s PCIe} is the fifth generation. */
  private OptionalLong generation(String file) {
    String speed = node.text(slot.folder() + file).orElse("").split(" ", 2)[0];
    return switch (speed) {
      case "2.5" -> OptionalLong.of(1);
      case "5.0" -> OptionalLong.of(2);
      case "8.0" -> OptionalLong.of(3);
      case "16.0" -> OptionalLong.of(4);
      case "32.0" -> OptionalLong.of(5);
      case "64.0" -> OptionalLong.of(6);
      default -> OptionalLong.empty();
    };
  }

  /** Each block of the chip has a file with {@code ue: N} and {@code ce: N}; umc is the memory. */
  private void errors() {
    String folder = slot.folder() + "/ras";
    for (String file : node.list(folder)) {
      if (file.endsWith("_err_count")) {
        String place = file.equals("umc_err_count") ? "dram" : "sram";
        for (String line : node.text(folder + "/" + file).orElse("").split("\n")) {
          count(line, "ue: ", "ecc.volatile.uncorrected." + place);
          count(line, "ce: ", "ecc.volatile.corrected." + place);
        }
      }
    }
    node.text(folder + "/gpu_vram_bad_pages")
        .ifPresent(
            pages -> {
              // The driver could not set the page aside: whoever has it goes on using it.
              boolean inUse = pages.lines().anyMatch(line -> line.endsWith(": F"));
              facts.put("remapped.failure", "false");
              facts.put("remapped.pending", Boolean.toString(inUse));
            });
  }

  private void count(String line, String prefix, String fact) {
    if (line.startsWith(prefix) && line.length() < 40) {
      try {
        long count = Long.parseLong(line.substring(prefix.length()).strip());
        facts.merge(
            fact, Long.toString(count), (a, b) -> "" + (Long.parseLong(a) + Long.parseLong(b)));
      } catch (NumberFormatException e) {
        facts.put(fact + "!", "not a number");
      }
    }
  }

  /** Lines {@code 1: 2104Mhz *}: every state of the clock, a star behind the present one. */
  private void clocks() {
    long highest = 0;
    for (String line : node.text(slot.folder() + "/pp_dpm_sclk").orElse("").split("\n")) {
      int unit = line.indexOf("Mhz");
      int colon = line.indexOf(':');
      if (colon > 0 && unit > colon && line.length() < 40) {
        String number = line.substring(colon + 1, unit).strip();
        if (number.matches("\\d{1,6}")) {
          highest = Math.max(highest, Long.parseLong(number));
          if (line.strip().endsWith("*")) {
            facts.put("clock.sm.mhz", number);
          }
        }
      }
    }
    if (highest > 0) {
      facts.put("clock.sm.maximum.mhz", Long.toString(highest));
    }
  }

  private void sensors(String folder) {
    for (int sensor = 1; sensor <= 3; sensor++) {
      String prefix = folder + "temp" + sensor;
      switch (node.text(prefix + "_label").orElse("")) {
        case "junction" -> {
          thousandth("temperature.core.celsius", prefix + "_input");
          thousandth("temperature.limit.maximum.celsius", prefix + "_crit");
          thousandth("temperature.limit.shutdown.celsius", prefix + "_emergency");
        }
        case "mem" -> {
          thousandth("temperature.memory.celsius", prefix + "_input");
          thousandth("temperature.limit.memory.celsius", prefix + "_crit");
        }
        default -> {}
      }
    }
    watts("power.draw.watts", folder + "power1_input");
    watts("power.draw.watts", folder + "power1_average");
    watts("power.enforced.watts", folder + "power1_cap");
    watts("power.default.watts", folder + "power1_cap_default");
    watts("power.maximum.watts", folder + "power1_cap_max");
  }

  private void thousandth(String fact, String file) {
    node.number(file).ifPresent(value -> facts.put(fact, Long.toString(value / 1000)));
  }

  private void watts(String fact, String file) {
    node.number(file).ifPresent(value -> facts.put(fact, Long.toString(value / 1_000_000)));
  }

  private void put(String fact, OptionalLong value) {
    value.ifPresent(number -> facts.put(fact, Long.toString(number)));
  }
}
