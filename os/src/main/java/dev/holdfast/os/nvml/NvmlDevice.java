package dev.holdfast.os.nvml;

import java.io.IOException;
import java.util.Locale;

/**
 * All questions put to one device, in an order that leaves those which take long or may hang to the
 * end, so that a hang costs the fewest facts.
 *
 * <p>Structures are described by the offsets of their members (LP64); {@code StructuresTest} checks
 * them against a C compiler. A structure with a version begins with a word made of its size and
 * version number.
 */
final class NvmlDevice {
  private static final long ANY = Long.MAX_VALUE;
  private static final long MOST_CELSIUS = 250;
  private static final long MOST_MEGAHERTZ = 100_000;
  private static final int MOST_PROCESSES = 1024;

  /** {@code nvmlPciInfo_t}: 68 bytes, the full bus id at 36. */
  static final int PCI_SIZE = 68;

  static final int PCI_BUS_ID = 36;
  static final int PCI_BUS_ID_SIZE = 32;

  /** {@code nvmlProcessInfo_v2_t}: pid 0, bytes 8, instances 16 and 20. */
  static final int PROCESS_SIZE = 24;

  /** {@code nvmlMarginTemperature_v1_t}: version, signed degrees 4. */
  static final int MARGIN_SIZE = 8;

  /** {@code nvmlTemperature_v1_t}: version, sensor 4 (0 is the core), degrees 8. */
  static final int TEMPERATURE_SIZE = 12;

  private final Inquiry ask;
  private final NvmlLibrary library;
  private final Answer answer;

  NvmlDevice(Inquiry ask) {
    this.ask = ask;
    this.library = ask.library();
    this.answer = ask.answer();
  }

  void askAll() throws IOException {
    identity();
    pci();
    new NvmlMemory(ask).askAll();
    NvmlFields.ask(ask);
    temperature();
    power();
    clocks();
    modes();
    new NvmlFabric(ask).askAll();
    use();
  }

  /** Which device it is and how busy: a few quick calls, to be repeated. */
  void askLoad() throws IOException {
    ask.text("name", "nvmlDeviceGetName", 96);
    ask.text("uuid", "nvmlDeviceGetUUID", 96);
    utilisation();
    new NvmlMemory(ask).askUsed();
  }

  /** Who it is, and one question that only the device itself can answer. */
  void askPresence() throws IOException {
    ask.text("name", "nvmlDeviceGetName", 96);
    address();
    coreTemperature();
  }

  /** By far the slowest call: 70 ms on an H200. */
  void validateInforom() throws IOException {
    int code = ask.call("nvmlDeviceValidateInforom", 0, 0, 0, 0);
    if (code == NvmlWords.SUCCESS || code == 14) {
      answer.word("inforom.valid", NvmlWords.TRUTH[code == 14 ? 0 : 1]);
    } else {
      ask.answered("inforom.valid", code);
    }
  }

  private void identity() throws IOException {
    ask.text("name", "nvmlDeviceGetName", 96);
    ask.text("uuid", "nvmlDeviceGetUUID", 96);
    ask.text("serial", "nvmlDeviceGetSerial", 30);
    ask.number("minor", "nvmlDeviceGetMinorNumber", 65535);
    ask.number("module", "nvmlDeviceGetModuleId", 65535);
    ask.text("part.number", "nvmlDeviceGetBoardPartNumber", 80);
    ask.text("vbios", "nvmlDeviceGetVbiosVersion", 32);
    ask.text("inforom.image", "nvmlDeviceGetInforomImageVersion", 16);
    ask.text("gsp.firmware", "nvmlDeviceGetGspFirmwareVersion", 64);
    ask.word("architecture", "nvmlDeviceGetArchitecture", NvmlWords.ARCHITECTURE);
    String function = "nvmlDeviceGetCudaComputeCapability";
    int code = ask.call(function, library.place(0, 8), library.place(8, 8), 0, 0);
    if (ask.answered("compute.capability", code)) {
      answer.version("compute.capability", library.getInt(0), library.getInt(8));
    }
  }

  private void address() throws IOException {
    int code = ask.call("nvmlDeviceGetPciInfo_v3", library.place(0, PCI_SIZE), 0, 0, 0);
    if (ask.answered("pci.address", code)) {
      answer.word("pci.address", address(library.getText(PCI_BUS_ID, PCI_BUS_ID_SIZE)));
      answer.hexadecimal("pci.device", library.getUnsigned(28));
      answer.hexadecimal("pci.subsystem", library.getUnsigned(32));
    }
  }

  private void pci() throws IOException {
    address();
    ask.number("pci.generation.current", "nvmlDeviceGetCurrPcieLinkGeneration", 16);
    ask.number("pci.generation.maximum", "nvmlDeviceGetGpuMaxPcieLinkGeneration", 16);
    ask.number("pci.generation.slot", "nvmlDeviceGetMaxPcieLinkGeneration", 16);
    ask.number("pci.width.current", "nvmlDeviceGetCurrPcieLinkWidth", 64);
    ask.number("pci.width.maximum", "nvmlDeviceGetMaxPcieLinkWidth", 64);
    ask.number("pci.replays", "nvmlDeviceGetPcieReplayCounter", ANY);
  }

  /** The address as the kernel writes it: four digits of domain where they suffice, small. */
  static String address(String busId) {
    String small = busId.toLowerCase(Locale.ROOT);
    return small.length() > 12 && small.startsWith("0000") ? small.substring(4) : small;
  }

  private void temperature() throws IOException {
    coreTemperature();
    String limit = "nvmlDeviceGetTemperatureThreshold";
    ask.numberOf("temperature.limit.shutdown.celsius", limit, 0, MOST_CELSIUS);
    ask.numberOf("temperature.limit.slowdown.celsius", limit, 1, MOST_CELSIUS);
    ask.numberOf("temperature.limit.memory.celsius", limit, 2, MOST_CELSIUS);
    ask.numberOf("temperature.limit.maximum.celsius", limit, 3, MOST_CELSIUS);
    long place = library.place(0, MARGIN_SIZE);
    library.putInt(0, MARGIN_SIZE | 1 << 24);
    int code = ask.call("nvmlDeviceGetMarginTemperature", place, 0, 0, 0);
    if (ask.answered("temperature.margin.celsius", code)) {
      answer.number("temperature.margin.celsius", library.getInt(4));
    }
  }

  private void coreTemperature() throws IOException {
    String key = "temperature.core.celsius";
    String newer = "nvmlDeviceGetTemperatureV";
    long place = library.place(0, TEMPERATURE_SIZE);
    library.putInt(0, TEMPERATURE_SIZE | 1 << 24);
    if (!library.has(newer)) {
      ask.numberOf(key, "nvmlDeviceGetTemperature", 0, MOST_CELSIUS);
    } else if (ask.answered(key, ask.call(newer, place, 0, 0, 0))) {
      ask.plausible(key, library.getInt(8), MOST_CELSIUS);
    }
  }

  private void power() throws IOException {
    ask.watts("power.draw.watts", "nvmlDeviceGetPowerUsage");
    ask.watts("power.limit.watts", "nvmlDeviceGetPowerManagementLimit");
    ask.watts("power.enforced.watts", "nvmlDeviceGetEnforcedPowerLimit");
    ask.watts("power.default.watts", "nvmlDeviceGetPowerManagementDefaultLimit");
    String function = "nvmlDeviceGetPowerManagementLimitConstraints";
    int code = ask.call(function, library.place(0, 8), library.place(8, 8), 0, 0);
    if (ask.answered("power.minimum.watts", code)) {
      answer.thousandths("power.minimum.watts", library.getUnsigned(0));
      answer.thousandths("power.maximum.watts", library.getUnsigned(8));
    }
  }

  private void clocks() throws IOException {
    clock("clock.graphics.mhz", "nvmlDeviceGetClockInfo", 0);
    clock("clock.sm.mhz", "nvmlDeviceGetClockInfo", 1);
    clock("clock.memory.mhz", "nvmlDeviceGetClockInfo", 2);
    clock("clock.graphics.maximum.mhz", "nvmlDeviceGetMaxClockInfo", 0);
    clock("clock.sm.maximum.mhz", "nvmlDeviceGetMaxClockInfo", 1);
    clock("clock.memory.maximum.mhz", "nvmlDeviceGetMaxClockInfo", 2);
    clock("clock.graphics.application.mhz", "nvmlDeviceGetApplicationsClock", 0);
    clock("clock.memory.application.mhz", "nvmlDeviceGetApplicationsClock", 2);
    clock("clock.graphics.default.mhz", "nvmlDeviceGetDefaultApplicationsClock", 0);
    clock("clock.memory.default.mhz", "nvmlDeviceGetDefaultApplicationsClock", 2);
    ask.number("performance.state", "nvmlDeviceGetPerformanceState", 32);
    String newer = "nvmlDeviceGetCurrentClocksEventReasons";
    String older = "nvmlDeviceGetCurrentClocksThrottleReasons";
    int code = ask.call(library.has(newer) ? newer : older, library.place(0, 8), 0, 0, 0);
    if (ask.answered("throttle.reasons", code)) {
      long reasons = library.getLong(0);
      answer.hexadecimal("throttle.reasons", reasons);
      answer.word("throttle.words", NvmlWords.throttle(reasons));
    }
  }

  private void clock(String key, String function, int which) throws IOException {
    ask.numberOf(key, function, which, MOST_MEGAHERTZ);
  }

  private void modes() throws IOException {
    ask.word("persistence", "nvmlDeviceGetPersistenceMode", NvmlWords.SWITCH);
    ask.word("compute.mode", "nvmlDeviceGetComputeMode", NvmlWords.COMPUTE_MODE);
    ask.words("mig.mode", "mig.mode.pending", "nvmlDeviceGetMigMode", NvmlWords.SWITCH);
    ask.word("virtualisation", "nvmlDeviceGetVirtualizationMode", NvmlWords.VIRTUALISATION);
    int words = 16;
    int code = ask.call("nvmlDeviceGetMemoryAffinity", words, library.place(0, 8 * words), 0, 0);
    if (ask.answered("numa.node", code)) {
      for (int word = 0; word < words; word++) {
        if (library.getLong(8L * word) != 0) {
          long node = 64L * word + Long.numberOfTrailingZeros(library.getLong(8L * word));
          answer.number("numa.node", node);
          return;
        }
      }
      answer.refused("numa.node", "NO_DATA");
    }
  }

  private void utilisation() throws IOException {
    int code = ask.call("nvmlDeviceGetUtilizationRates", library.place(0, 8), 0, 0, 0);
    if (ask.answered("utilisation.percent", code)) {
      ask.plausible("utilisation.percent", library.getUnsigned(0), 100);
      ask.plausible("utilisation.memory.percent", library.getUnsigned(4), 100);
    }
  }

  private void use() throws IOException {
    utilisation();
    String newer = "nvmlDeviceGetComputeRunningProcesses_v3";
    String function = library.has(newer) ? newer : "nvmlDeviceGetComputeRunningProcesses_v2";
    long count = library.place(0, 8);
    library.putInt(0, MOST_PROCESSES);
    int code = ask.call(function, count, library.place(16, PROCESS_SIZE * MOST_PROCESSES), 0, 0);
    long processes = library.getUnsigned(0);
    if (code == NvmlWords.INSUFFICIENT_SIZE) {
      answer.number("processes", processes);
    } else if (ask.answered("processes", code)) {
      ask.plausible("processes", processes, MOST_PROCESSES);
      list((int) Math.min(processes, MOST_PROCESSES));
    }
  }

  private void list(int processes) {
    for (int index = 0; index < processes; index++) {
      long place = 16 + (long) PROCESS_SIZE * index;
      String prefix = "process.".concat(String.valueOf(index));
      answer.number(prefix.concat(".pid"), library.getUnsigned(place));
      long bytes = library.getLong(place + 8);
      if (bytes != -1) {
        ask.plausible(prefix.concat(".memory.bytes"), bytes, 1L << 50);
      }
    }
  }
}
