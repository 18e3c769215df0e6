package dev.holdfast.core.slurm;

import dev.holdfast.core.text.Wrap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The words Slurm has for states. It writes them in three ways: {@code IDLE+DRAIN} (scontrol),
 * {@code idle*} with a letter for a flag (sinfo), and lists in JSON; they become one set here.
 */
final class SlurmWords {
  /** States and flags of nodes. */
  static final Set<String> NODE =
      Set.of(
          "UNKNOWN",
          "DOWN",
          "IDLE",
          "ALLOCATED",
          "ERROR",
          "MIXED",
          "FUTURE",
          "PERFCTRS",
          "RESERVED",
          "UNDRAIN",
          "CLOUD",
          "RESUME",
          "DRAIN",
          "COMPLETING",
          "NOT_RESPONDING",
          "POWERED_DOWN",
          "FAIL",
          "POWERING_UP",
          "MAINTENANCE",
          "REBOOT_REQUESTED",
          "REBOOT_CANCEL",
          "POWERING_DOWN",
          "DYNAMIC_FUTURE",
          "DYNAMIC_NORM",
          "REBOOT_ISSUED",
          "PLANNED",
          "INVALID_REG",
          "INVALID",
          "POWER_DOWN",
          "POWER_UP",
          "POWER_DRAIN",
          "BLOCKED",
          "EXTERNAL");

  /** States and flags of jobs. */
  static final Set<String> JOB =
      Set.of(
          "PENDING",
          "RUNNING",
          "SUSPENDED",
          "COMPLETED",
          "CANCELLED",
          "FAILED",
          "TIMEOUT",
          "NODE_FAIL",
          "PREEMPTED",
          "BOOT_FAIL",
          "DEADLINE",
          "OUT_OF_MEMORY",
          "LAUNCH_FAILED",
          "REQUEUED",
          "REQUEUE_HOLD",
          "SPECIAL_EXIT",
          "RESIZING",
          "CONFIGURING",
          "COMPLETING",
          "STOPPED",
          "RECONFIG_FAIL",
          "POWER_UP_NODE",
          "REVOKED",
          "REQUEUE_FED",
          "RESV_DEL_HOLD",
          "SIGNALING",
          "STAGE_OUT",
          "EXPEDITING");

  /** What other words and older ones mean. */
  private static final Map<String, String> SAME =
      Map.ofEntries(
          Map.entry("MAINT", "MAINTENANCE"),
          Map.entry("ALLOC", "ALLOCATED"),
          Map.entry("COMP", "COMPLETING"),
          Map.entry("MIX", "MIXED"),
          Map.entry("UNK", "UNKNOWN"),
          Map.entry("NO_RESPOND", "NOT_RESPONDING"),
          Map.entry("FAILING", "FAIL"),
          Map.entry("POWERING_UP_NODE", "POWERING_UP"),
          Map.entry("REBOOT", "REBOOT_REQUESTED"),
          Map.entry("RES", "RESERVED"),
          Map.entry("INVAL", "INVALID_REG"));

  /** The letters sinfo puts behind a state. */
  private static final Map<Character, String> LETTERS =
      Map.of(
          '*', "NOT_RESPONDING",
          '~', "POWERED_DOWN",
          '#', "POWERING_UP",
          '!', "POWER_DOWN",
          '%', "POWERING_DOWN",
          '$', "MAINTENANCE",
          '@', "REBOOT_REQUESTED",
          '^', "REBOOT_ISSUED",
          '-', "PLANNED",
          '+', "CLOUD");

  private static final int MOST_SHOWN = 40;

  private SlurmWords() {}

  /**
   * The set of words in a state as one of Slurm's programs writes it; {@link
   * IllegalArgumentException} where something is no word.
   */
  static Set<String> states(String text) {
    Set<String> states = new TreeSet<>();
    for (String word : text.strip().split("\\+")) {
      add(word, states);
    }
    return states;
  }

  private static boolean letter(int c) {
    return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
  }

  static void add(String written, Set<String> states) {
    String word = written.strip();
    while (!word.isEmpty()) {
      @Nullable String flag = LETTERS.get(word.charAt(word.length() - 1));
      if (flag == null) {
        break;
      }
      states.add(flag);
      word = word.substring(0, word.length() - 1);
    }
    if (word.isEmpty()) {
      return;
    }
    String plain = word.toUpperCase(Locale.ROOT);
    if (!plain.chars().allMatch(SlurmWords::letter)) {
      throw new IllegalArgumentException("'" + Wrap.cut(word, MOST_SHOWN) + "' is no state");
    }
    switch (plain) {
      case "DRAINED" -> {
        states.add("IDLE");
        states.add("DRAIN");
      }
      case "DRAINING", "DRNG" -> {
        states.add("MIXED");
        states.add("DRAIN");
      }
      default -> states.add(SAME.getOrDefault(plain, plain));
    }
  }
}
