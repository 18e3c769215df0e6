package dev.holdfast.os.nvml;

import java.io.IOException;

/** The device's memory: how much, and what its error correction had to do and can still do. */
final class NvmlMemory {
  private static final long ANY = Long.MAX_VALUE;

  /** {@code nvmlMemory_v2_t}: version, total 8, reserved 16, free 24, used 32. */
  static final int MEMORY_SIZE = 40;

  /** {@code nvmlEccSramErrorStatus_v1_t}: version, eleven counters from 8, threshold flag 96. */
  static final int SRAM_SIZE = 104;

  /** {@code nvmlRepairStatus_v1_t}: version, channel 4, processing cluster 8. */
  static final int REPAIR_SIZE = 12;

  private final Inquiry ask;
  private final NvmlLibrary library;
  private final Answer answer;

  NvmlMemory(Inquiry ask) {
    this.ask = ask;
    this.library = ask.library();
    this.answer = ask.answer();
  }

  void askAll() throws IOException {
    amounts();
    errors();
    sram();
    remapped();
    repair();
  }

  private void amounts() throws IOException {
    askUsed();
    int code = ask.call("nvmlDeviceGetBAR1MemoryInfo", library.place(0, 24), 0, 0, 0);
    if (ask.answered("bar1.total.bytes", code)) {
      ask.plausible("bar1.total.bytes", library.getLong(0), 1L << 50);
      ask.plausible("bar1.used.bytes", library.getLong(16), 1L << 50);
    }
  }

  /** How much of the memory is used. */
  void askUsed() throws IOException {
    long place = library.place(0, MEMORY_SIZE);
    library.putInt(0, MEMORY_SIZE | 2 << 24);
    if (ask.answered(
        "memory.total.bytes", ask.call("nvmlDeviceGetMemoryInfo_v2", place, 0, 0, 0))) {
      ask.plausible("memory.total.bytes", library.getLong(8), 1L << 50);
      ask.plausible("memory.reserved.bytes", library.getLong(16), 1L << 50);
      ask.plausible("memory.free.bytes", library.getLong(24), 1L << 50);
      ask.plausible("memory.used.bytes", library.getLong(32), 1L << 50);
    }
  }

  private void errors() throws IOException {
    ask.words("ecc.mode.current", "ecc.mode.pending", "nvmlDeviceGetEccMode", NvmlWords.SWITCH);
    counter("ecc.volatile.corrected.dram", 0, 0, 2);
    counter("ecc.volatile.corrected.sram", 0, 0, 7);
    counter("ecc.volatile.uncorrected.dram", 1, 0, 2);
    counter("ecc.volatile.uncorrected.sram", 1, 0, 7);
    counter("ecc.aggregate.corrected.dram", 0, 1, 2);
    counter("ecc.aggregate.corrected.sram", 0, 1, 7);
    counter("ecc.aggregate.uncorrected.dram", 1, 1, 2);
    counter("ecc.aggregate.uncorrected.sram", 1, 1, 7);
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

  private void repair() throws IOException {
    long place = library.place(0, REPAIR_SIZE);
    library.putInt(0, REPAIR_SIZE | 1 << 24);
    int code = ask.call("nvmlDeviceGetRepairStatus", place, 0, 0, 0);
    if (ask.answered("repair.channel.pending", code)) {
      answer.word("repair.channel.pending", truth(library.getInt(4)));
      answer.word("repair.tpc.pending", truth(library.getInt(8)));
    }
  }

  private static String truth(int value) {
    return value == 0 ? "false" : "true";
  }
}
