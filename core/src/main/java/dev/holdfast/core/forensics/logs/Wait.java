package dev.holdfast.core.forensics.logs;

import java.util.Optional;

/**
 * In which collective did a rank wait when the watchdog gave up? Read from {@code [PG ID 1 PG GUID
 * 1 Rank 5] … WorkNCCL(SeqNum=9141, OpType=_ALLGATHER_BASE, NumelIn=19008, NumelOut=152064,
 * Timeout(ms)=600000) ran for 600020 milliseconds}.
 *
 * @param group the process group, empty: the line names none
 * @param ranMillis how long it had waited
 */
record Wait(String group, long sequence, String operation, long elements, long ranMillis) {
  private static final String WORK = "WorkNCCL(";

  static Optional<Wait> of(String line) {
    int work = line.indexOf(WORK);
    if (work < 0) {
      return Optional.empty();
    }
    long sequence = number(line, "SeqNum=", work);
    if (sequence < 0) {
      return Optional.empty();
    }
    int type = line.indexOf("OpType=", work);
    int comma = type < 0 ? -1 : line.indexOf(',', type);
    String operation = comma < 0 || comma - type > 60 ? "" : line.substring(type + 7, comma);
    return Optional.of(
        new Wait(
            group(line),
            sequence,
            operation,
            number(line, "NumelIn=", work),
            Math.max(0, number(line, "ran for ", work))));
  }

  /** {@code PG ID 1} or {@code PG 3}; before 2.3 the lines name no group. */
  static String group(String line) {
    int at = line.indexOf("[PG ");
    if (at < 0) {
      return "";
    }
    int guid = line.indexOf("PG GUID ", at);
    int id = line.startsWith("ID ", at + 4) ? at + 7 : at + 4;
    int begin = guid > 0 && guid - at < 60 ? guid + 8 : id; // the id is one of the process
    int end = begin;
    while (end < line.length() && Character.isLetterOrDigit(line.charAt(end)) && end - begin < 20) {
      end++;
    }
    return line.substring(begin, end);
  }

  /** The number behind a word, −1: there is none. */
  static long number(String line, String word, int from) {
    int at = line.indexOf(word, from);
    if (at < 0) {
      return -1;
    }
    int begin = at + word.length();
    while (begin < line.length() && line.charAt(begin) == ' ') {
      begin++;
    }
    int end = begin;
    while (end < line.length() && end - begin < 15 && Character.isDigit(line.charAt(end))) {
      end++;
    }
    return end == begin ? -1 : Long.parseLong(line, begin, end, 10);
  }
}
