package dev.holdfast.os.nvml;

import java.io.IOException;

/**
 * The facts NVML hands out by number ({@code NVML_FI_DEV_…}), many in one call.
 *
 * <p>{@code nvmlFieldValue_t} is 40 bytes: field 0, scope 4, time 8, latency 16, type 24, code 28,
 * value 32. A driver that does not know a field refuses that one alone.
 */
final class NvmlFields {
  static final int SIZE = 40;
  private static final int SCOPE = 4;
  private static final int TYPE = 24;
  private static final int CODE = 28;
  private static final int VALUE = 32;

  /** Where a field is put that is asked for alone, behind the longest list. */
  private static final long ALONE = 1 << 14;

  /** The type of no field we know (it stands for a double): the library did not answer. */
  private static final int UNTOUCHED = 0;

  private static final int SIGNED_LONG = 4;
  private static final int SIGNED_INT = 5;
  private static final int SHORT = 6;

  private enum Kind {
    NUMBER,
    TRUTH,
    MILLIWATTS,
    /** Degrees left or over, which the driver may hand out as an unsigned number. */
    MARGIN,
    RECOVERY
  }

  /** From this driver on the clock event counters have the numbers below. */
  private static final int SETTLED = 580;

  /**
   * One fact.
   *
   * @param since the first major version of the driver that has it under this number
   */
  private record Field(int number, String key, Kind kind, int since) {
    Field(int number, String key, Kind kind) {
      this(number, key, kind, 0);
    }
  }

  private static final Field[] DEVICE = {
    new Field(230, "recovery.action", Kind.RECOVERY),
    new Field(3, "ecc.volatile.corrected.total", Kind.NUMBER),
    new Field(4, "ecc.volatile.uncorrected.total", Kind.NUMBER),
    new Field(5, "ecc.aggregate.corrected.total", Kind.NUMBER),
    new Field(6, "ecc.aggregate.uncorrected.total", Kind.NUMBER),
    new Field(29, "retired.pages.single", Kind.NUMBER),
    new Field(30, "retired.pages.double", Kind.NUMBER),
    new Field(31, "retired.pages.pending", Kind.TRUTH),
    new Field(74, "violation.power.nanoseconds", Kind.NUMBER),
    new Field(75, "violation.thermal.nanoseconds", Kind.NUMBER),
    new Field(76, "violation.sync.boost.nanoseconds", Kind.NUMBER),
    new Field(77, "violation.board.limit.nanoseconds", Kind.NUMBER),
    new Field(79, "violation.reliability.nanoseconds", Kind.NUMBER),
    // Drivers before had these at 251 to 253, where power smoothing is now.
    new Field(269, "violation.software.thermal.nanoseconds", Kind.NUMBER, SETTLED),
    new Field(270, "violation.hardware.thermal.nanoseconds", Kind.NUMBER, SETTLED),
    new Field(271, "violation.power.brake.nanoseconds", Kind.NUMBER, SETTLED),
    new Field(82, "temperature.memory.celsius", Kind.NUMBER),
    new Field(193, "temperature.margin.shutdown.celsius", Kind.MARGIN),
    new Field(194, "temperature.margin.slowdown.celsius", Kind.MARGIN),
    new Field(195, "temperature.margin.memory.celsius", Kind.MARGIN),
    new Field(196, "temperature.margin.maximum.celsius", Kind.MARGIN),
    new Field(186, "power.instant.watts", Kind.MILLIWATTS),
    new Field(95, "pci.replay.rollovers", Kind.NUMBER),
    new Field(169, "pci.recoveries", Kind.NUMBER),
    new Field(173, "pci.errors.correctable", Kind.NUMBER),
    new Field(175, "pci.errors.receiver", Kind.NUMBER),
    new Field(176, "pci.errors.bad.tlp", Kind.NUMBER),
    new Field(178, "pci.errors.bad.dllp", Kind.NUMBER),
    new Field(179, "pci.errors.nonfatal", Kind.NUMBER),
    new Field(180, "pci.errors.fatal", Kind.NUMBER),
    new Field(181, "pci.errors.unsupported.request", Kind.NUMBER),
    new Field(182, "pci.errors.lcrc", Kind.NUMBER),
    new Field(183, "pci.errors.lane", Kind.NUMBER),
    new Field(91, "nvlink.count.supported", Kind.NUMBER),
    new Field(147, "nvlink.count.switch", Kind.NUMBER),
    new Field(170, "c2c.count", Kind.NUMBER)
  };

  /** Which of these a link offers depends on its generation, so refusals are not told. */
  private static final Field[] LINK = {
    new Field(164, "speed.megabytes.per.second", Kind.NUMBER),
    new Field(161, "errors.replay", Kind.NUMBER),
    new Field(162, "errors.recovery", Kind.NUMBER),
    new Field(163, "errors.crc", Kind.NUMBER),
    new Field(206, "errors.malformed.packet", Kind.NUMBER),
    new Field(207, "errors.buffer.overrun", Kind.NUMBER),
    new Field(208, "errors.receive", Kind.NUMBER),
    new Field(209, "errors.receive.remote", Kind.NUMBER),
    new Field(210, "errors.receive.general", Kind.NUMBER),
    new Field(211, "errors.local.integrity", Kind.NUMBER),
    new Field(212, "errors.transmit.discards", Kind.NUMBER),
    new Field(213, "recoveries.successful", Kind.NUMBER),
    new Field(214, "recoveries.failed", Kind.NUMBER),
    new Field(215, "recoveries", Kind.NUMBER),
    new Field(219, "errors.effective", Kind.NUMBER),
    new Field(221, "errors.symbol", Kind.NUMBER)
  };

  private NvmlFields() {}

  static void ask(Inquiry ask) throws IOException {
    ask(ask, DEVICE, 0, true);
  }

  static void askLink(Inquiry ask, int link) throws IOException {
    ask(ask, LINK, link, false);
  }

  private static void ask(Inquiry ask, Field[] fields, int scope, boolean tellRefusals)
      throws IOException {
    NvmlLibrary library = ask.library();
    long place = library.place(0, (long) SIZE * fields.length);
    for (int index = 0; index < fields.length; index++) {
      boolean known = fields[index].since <= ask.driver();
      library.putInt((long) SIZE * index, known ? fields[index].number : 0);
      library.putInt((long) SIZE * index + SCOPE, scope);
    }
    int code = ask.call("nvmlDeviceGetFieldValues", fields.length, place, 0, 0);
    for (int index = 0; index < fields.length; index++) {
      long start = (long) SIZE * index;
      int own = code == NvmlWords.SUCCESS ? library.getInt(start + CODE) : code;
      if (own == NvmlWords.SUCCESS && library.getInt(start + TYPE) == UNTOUCHED) {
        start = ALONE;
        own = askAlone(ask, fields[index].number, scope);
      }
      if (fields[index].since > ask.driver()) {
        ask.answer().refused(fields[index].key, "DRIVER_TOO_OLD");
      } else if (own == NvmlWords.SUCCESS) {
        write(ask, fields[index], value(library, start));
      } else if (tellRefusals) {
        ask.answered(fields[index].key, own);
      }
    }
  }

  /**
   * Asks for one field again. Where some fields of a list are not supported, the library leaves
   * others of it unanswered without saying so (seen on an H200 with driver 580); alone they are
   * answered.
   */
  private static int askAlone(Inquiry ask, int number, int scope) throws IOException {
    NvmlLibrary library = ask.library();
    long place = library.place(ALONE, SIZE);
    library.putInt(ALONE, number);
    library.putInt(ALONE + SCOPE, scope);
    int code = ask.call("nvmlDeviceGetFieldValues", 1, place, 0, 0);
    if (code != NvmlWords.SUCCESS) {
      return code;
    }
    boolean answered = library.getInt(ALONE + TYPE) != UNTOUCHED;
    int own = library.getInt(ALONE + CODE);
    return answered || own != NvmlWords.SUCCESS ? own : NvmlWords.NOT_SUPPORTED;
  }

  private static long value(NvmlLibrary library, long start) {
    return switch (library.getInt(start + TYPE)) {
      case 1 -> library.getUnsigned(start + VALUE);
      case SIGNED_INT -> library.getInt(start + VALUE);
      case SHORT -> library.getUnsigned(start + VALUE) & 0xffff;
      case 2, 3, SIGNED_LONG -> library.getLong(start + VALUE);
      default -> Long.MIN_VALUE;
    };
  }

  private static void write(Inquiry ask, Field field, long value) {
    switch (field.kind) {
      case TRUTH -> ask.answer().word(field.key, NvmlWords.TRUTH[value == 0 ? 0 : 1]);
      case MILLIWATTS -> ask.answer().thousandths(field.key, Math.max(0, value));
      case MARGIN -> ask.answer().number(field.key, (int) value);
      case RECOVERY -> ask.answer().word(field.key, NvmlWords.of(NvmlWords.RECOVERY, value));
      case NUMBER -> ask.plausible(field.key, value, Long.MAX_VALUE);
    }
  }
}
