package dev.holdfast.core.topology;

import dev.holdfast.core.topology.SysfsPci.Function;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of the GPUs as the management libraries count them: those the maker's driver holds,
 * in the order of their PCI addresses.
 */
final class SysfsGpus {
  private static final String NVIDIA = "/proc/driver/nvidia/gpus/";

  private SysfsGpus() {}

  /** By PCI address. */
  static Map<String, ManagedGpu> number(SysfsReader reader, Collection<Function> functions) {
    Map<String, ManagedGpu> gpus = new HashMap<>();
    int nvidia = 0;
    int amd = 0;
    for (Function function : functions) {
      boolean gpu = function.display() || function.accelerator();
      if (gpu && function.vendor().equals("10de") && function.driver().equals("nvidia")) {
        gpus.put(function.address(), new ManagedGpu("NVML", nvidia++, nvidia(reader, function)));
      } else if (gpu && function.vendor().equals("1002") && function.driver().equals("amdgpu")) {
        gpus.put(function.address(), new ManagedGpu("RSMI", amd++, amd(reader, function)));
      } else if (gpu && function.driver().startsWith("vfio")) {
        reader.note(
            function.address() + " is held by " + function.driver() + " for a virtual machine");
      }
    }
    return gpus;
  }

  private static Map<String, String> nvidia(SysfsReader reader, Function function) {
    Map<String, String> facts = new LinkedHashMap<>();
    String path = NVIDIA + function.address() + "/information";
    for (String line : reader.files().text(path).orElse("").split("\n", 100)) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      if (line.startsWith("Model:")) {
        facts.put("model", value);
      } else if (line.startsWith("GPU UUID:") && value.startsWith("GPU-")) {
        facts.put("uuid", value);
      }
    }
    return facts;
  }

  private static Map<String, String> amd(SysfsReader reader, Function function) {
    Map<String, String> facts = new LinkedHashMap<>();
    reader
        .files()
        .text(function.file("product_name"))
        .filter(name -> !name.isBlank())
        .ifPresent(name -> facts.put("model", name));
    reader
        .files()
        .text(function.file("unique_id"))
        .filter(id -> id.matches("[0-9a-fA-F]{8,16}"))
        .ifPresent(id -> facts.put("uuid", "GPU-" + id));
    return facts;
  }
}
