package dev.holdfast.os.nvml;

/** The numbers of NVML by their names: return codes, states, reasons. */
final class NvmlWords {
  static final int SUCCESS = 0;
  static final int NOT_SUPPORTED = 3;
  static final int INSUFFICIENT_SIZE = 7;
  static final int GPU_IS_LOST = 15;
  static final int RESET_REQUIRED = 16;

  private static final String[] CODES = {
    "SUCCESS",
    "UNINITIALIZED",
    "INVALID_ARGUMENT",
    "NOT_SUPPORTED",
    "NO_PERMISSION",
    "ALREADY_INITIALIZED",
    "NOT_FOUND",
    "INSUFFICIENT_SIZE",
    "INSUFFICIENT_POWER",
    "DRIVER_NOT_LOADED",
    "TIMEOUT",
    "IRQ_ISSUE",
    "LIBRARY_NOT_FOUND",
    "FUNCTION_NOT_FOUND",
    "CORRUPTED_INFOROM",
    "GPU_IS_LOST",
    "RESET_REQUIRED",
    "OPERATING_SYSTEM",
    "LIB_RM_VERSION_MISMATCH",
    "IN_USE",
    "MEMORY",
    "NO_DATA",
    "VGPU_ECC_NOT_SUPPORTED",
    "INSUFFICIENT_RESOURCES",
    "FREQ_NOT_SUPPORTED",
    "ARGUMENT_VERSION_MISMATCH",
    "DEPRECATED",
    "NOT_READY",
    "GPU_NOT_FOUND",
    "INVALID_STATE",
    "RESET_TYPE_NOT_SUPPORTED"
  };

  static final String[] SWITCH = {"disabled", "enabled"};
  static final String[] TRUTH = {"false", "true"};
  static final String[] COMPUTE_MODE = {
    "default", "exclusive-thread", "prohibited", "exclusive-process"
  };
  static final String[] ARCHITECTURE = {
    "0",
    "1",
    "kepler",
    "maxwell",
    "pascal",
    "volta",
    "turing",
    "ampere",
    "ada",
    "hopper",
    "blackwell"
  };
  static final String[] VIRTUALISATION = {"none", "pass-through", "vgpu", "host-vgpu", "host-vsga"};
  static final String[] RECOVERY = {
    "none", "reset", "reboot", "drain-p2p", "drain-and-reset", "reset-bus"
  };
  static final String[] LINK_STATE = {"inactive", "active", "sleep"};
  static final String[] LINK_VERSION = {"invalid", "1.0", "2.0", "2.2", "3.0", "3.1", "4.0", "5.0"};
  static final String[] LINK_REMOTE = {"gpu", "npu", "switch"};
  static final String[] FABRIC_STATE = {"not-supported", "not-started", "in-progress", "completed"};
  static final String[] FABRIC_HEALTH = {
    "not-supported", "healthy", "unhealthy", "limited-capacity"
  };

  /** By bit number of the clocks event reasons. */
  private static final String[] THROTTLE = {
    "idle",
    "application-clocks",
    "power-cap",
    "hardware-slowdown",
    "sync-boost",
    "software-thermal",
    "hardware-thermal",
    "power-brake",
    "display-clocks"
  };

  /** By pair of bits of the fabric health mask; a pair holds 0 unknown, 1 yes, 2 no. */
  private static final String[] FABRIC_TROUBLE = {
    "degraded-bandwidth", "route-recovery", "route-unhealthy", "access-timeout-recovery"
  };

  private NvmlWords() {}

  static String code(int code) {
    if (code == NvmlLibrary.FUNCTION_MISSING) {
      return "FUNCTION_MISSING";
    }
    if (code == 999) {
      return "UNKNOWN";
    }
    return code >= 0 && code < CODES.length ? CODES[code] : "CODE_".concat(String.valueOf(code));
  }

  /** The word for a value, or the number itself when this version does not know it. */
  static String of(String[] words, long value) {
    return value >= 0 && value < words.length ? words[(int) value] : String.valueOf(value);
  }

  static String throttle(long reasons) {
    StringBuilder words = new StringBuilder();
    for (int bit = 0; bit < Long.SIZE; bit++) {
      if ((reasons >>> bit & 1) != 0) {
        add(words, bit < THROTTLE.length ? THROTTLE[bit] : "bit-".concat(String.valueOf(bit)));
      }
    }
    return words.isEmpty() ? "none" : words.toString();
  }

  static String fabricTrouble(int mask) {
    StringBuilder words = new StringBuilder();
    for (int pair = 0; pair < FABRIC_TROUBLE.length; pair++) {
      if ((mask >>> 2 * pair & 3) == 1) {
        add(words, FABRIC_TROUBLE[pair]);
      }
    }
    // Four bits: 0 unknown, 1 as it should be, above that a kind of wrong set-up.
    if ((mask >>> 8 & 0xf) > 1) {
      add(words, "incorrect-configuration");
    }
    return words.isEmpty() ? "none" : words.toString();
  }

  private static void add(StringBuilder words, String word) {
    if (!words.isEmpty()) {
      words.append(',');
    }
    words.append(word);
  }
}
