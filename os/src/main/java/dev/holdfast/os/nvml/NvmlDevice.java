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

  /** {@code nvmlMemory_v2_t}: version, total 8, reserved 16, free 24, used 32. */
  static final int MEMORY_SIZE = 40;

  /** {@code nvmlProcessInfo_v2_t}: pid 0, bytes 8, instances 16 and 20. */
  static final int PROCESS_SIZE = 24;

  /** {@code nvmlEccSramErrorStatus_v1_t}: version, eleven counters from 8, threshold flag 96. */
  static final int SRAM_SIZE = 104;

  /** {@code nvmlRepairStatus_v1_t}: version, channel 4, processing cluster 8. */
  static final int REPAIR_SIZE = 12;

  /** {@code nvmlMarginTemperature_v1_t}: version, signed degrees 4. */
  static final int MARGIN_SIZE = 8;

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
    memory();
    ecc();
    NvmlFields.ask(ask);
    temperature();
    power();
    clocks();
    modes();
    new NvmlFabric(ask).askAll();
    use();
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

  private void pci() throws IOException {
    int code = ask.call("nvmlDeviceGetPciInfo_v3", library.place(0, PCI_SIZE), 0, 0, 0);
    if (ask.answered("pci.address", code)) {
      answer.word("pci.address", address(library.getText(PCI_BUS_ID, PCI_BUS_ID_SIZE)));
      answer.hexadecimal("pci.device", library.getUnsigned(28));
      answer.hexadecimal("pci.subsystem", library.getUnsigned(32));
    }
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

  private void memory() throws IOException {
    long place = library.place(0, MEMORY_SIZE);
    library.putInt(0, MEMORY_SIZE | 2 << 24);
    if (ask.answered(
        "memory.total.bytes", ask.call("nvmlDeviceGetMemoryInfo_v2", place, 0, 0, 0))) {
      ask.plausible("memory.total.bytes", library.getLong(8), 1L << 50);
      ask.plausible("memory.reserved.bytes", library.getLong(16), 1L << 50);
      ask.plausible("memory.free.bytes", library.getLong(24), 1L << 50);
      ask.plausible("memory.used.bytes", library.getLong(32), 1L << 50);
    }
    int code = ask.call("nvmlDeviceGetBAR1MemoryInfo", library.place(0, 24), 0, 0, 0);
    if (ask.answered("bar1.total.bytes", code)) {
      ask.plausible("bar1.total.bytes", library.getLong(0), 1L << 50);
      ask.plausible("bar1.used.bytes", library.getLong(16), 1L << 50);
    }
  }

  private void ecc() throws IOException {
    ask.words("ecc.mode.current", "ecc.mode.pending", "nvmlDeviceGetEccMode", NvmlWords.SWITCH);
    counter("ecc.volatile.corrected.dram", 0, 0, 2);
    counter("ecc.volatile.corrected.sram", 0, 0, 7);
    counter("ecc.volatile.uncorrected.dram", 1, 0, 2);
    counter("ecc.volatile.uncorrected.sram", 1, 0, 7);
    counter("ecc.aggregate.corrected.dram", 0, 1, 2);
    counter("ecc.aggregate.corrected.sram", 0, 1, 7);
    counter("ecc.aggregate.uncorrected.dram", 1, 1, 2);
    counter("ecc.aggregate.uncorrected.sram", 1, 1, 7);
    sram();
    remapped();
    long place = library.place(0, REPAIR_SIZE);
    library.putInt(0, REPAIR_SIZE | 1 << 24);
    int code = ask.call("nvmlDeviceGetRepairStatus", place, 0, 0, 0);
    if (ask.answered("repair.channel.pending", code)) {
      answer.word("repair.channel.pending", truth(library.getInt(4)));
      answer.word("repair.tpc.pending", truth(library.getInt(8)));
    }
  }

  private void counter(String key, int error, int lifetime, int location) throws IOException {
    long place = library.place(0, 8);
    String function = "nvmlDeviceGetMemoryErrorCounter";
    if (ask.answered(key, ask.call(function, error, lifetime, location, place))) {
      ask.plausible(key, library.getLong(0), ANY);
    }
  }

  private void sram() throws IOException {
    long place = library.place(0, SRAM_SIZE);
    library.putInt(0, SRAM_SIZE | 1 << 24);
    int code = ask.call("nvmlDeviceGetSramEccErrorStatus", place, 0, 0, 0);
    if (!ask.answered("ecc.sram.threshold.exceeded", code)) {
      return;
    }
    answer.word("ecc.sram.threshold.exceeded", truth(library.getInt(96)));
    ask.plausible("ecc.aggregate.uncorrected.sram.parity", library.getLong(8), ANY);
    ask.plausible("ecc.aggregate.uncorrected.sram.secded", library.getLong(16), ANY);
    ask.plausible("ecc.volatile.uncorrected.sram.parity", library.getLong(32), ANY);
    ask.plausible("ecc.volatile.uncorrected.sram.secded", library.getLong(40), ANY);
    ask.plausible("ecc.sram.source.l2", library.getLong(56), ANY);
    ask.plausible("ecc.sram.source.sm", library.getLong(64), ANY);
    ask.plausible("ecc.sram.source.pcie", library.getLong(72), ANY);
    ask.plausible("ecc.sram.source.microcontroller", library.getLong(80), ANY);
    ask.plausible("ecc.sram.source.other", library.getLong(88), ANY);
  }

  private void remapped() throws IOException {
    long place = library.place(0, 32);
    String function = "nvmlDeviceGetRemappedRows";
    int code = ask.call(function, place, place + 8, place + 16, place + 24);
    if (ask.answered("remapped.correctable", code)) {
      ask.plausible("remapped.correctable", library.getUnsigned(0), 1 << 20);
      ask.plausible("remapped.uncorrectable", library.getUnsigned(8), 1 << 20);
      answer.word("remapped.pending", truth(library.getInt(16)));
      answer.word("remapped.failure", truth(library.getInt(24)));
    }
    code = ask.call("nvmlDeviceGetRowRemapperHistogram", library.place(0, 20), 0, 0, 0);
    if (ask.answered("remapped.histogram.max", code)) {
      answer.number("remapped.histogram.max", library.getUnsigned(0));
      answer.number("remapped.histogram.high", library.getUnsigned(4));
      answer.number("remapped.histogram.partial", library.getUnsigned(8));
      answer.number("remapped.histogram.low", library.getUnsigned(12));
      answer.number("remapped.histogram.none", library.getUnsigned(16));
    }
  }

  private void temperature() throws IOException {
    ask.numberOf("temperature.core.celsius", "nvmlDeviceGetTemperature", 0, MOST_CELSIUS);
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

  private void use() throws IOException {
    int code = ask.call("nvmlDeviceGetUtilizationRates", library.place(0, 8), 0, 0, 0);
    if (ask.answered("utilisation.percent", code)) {
      ask.plausible("utilisation.percent", library.getUnsigned(0), 100);
      ask.plausible("utilisation.memory.percent", library.getUnsigned(4), 100);
    }
    String newer = "nvmlDeviceGetComputeRunningProcesses_v3";
    String function = library.has(newer) ? newer : "nvmlDeviceGetComputeRunningProcesses_v2";
    long count = library.place(0, 8);
    library.putInt(0, MOST_PROCESSES);
    code = ask.call(function, count, library.place(16, PROCESS_SIZE * MOST_PROCESSES), 0, 0);
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

  private static String truth(int value) {
    return value == 0 ? "false" : "true";
  }
}
