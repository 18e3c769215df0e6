package dev.holdfast.core.forensics.logs;

/**
 * The time at a place of a line, in any of the forms programs write it:
 *
 * <ul>
 *   <li>{@code 2026-11-16T03:45:03.123Z}, with a blank, an underscore or slashes, a comma before
 *       the fraction, with or without a zone
 *   <li>{@code E1116 03:45:03.123456}, as glog and PyTorch write it; PyTorch leaves the zero of the
 *       month out
 *   <li>{@code Nov 16 03:45:03} of syslog, {@code Mon Nov 16 03:45:03 2026} of {@code dmesg -T}
 *   <li>{@code 11/16/2026 03:45:03}
 *   <li>{@code 1794704681.123}, seconds since 1970
 * </ul>
 *
 * <p>A time without a zone is taken as UTC: what matters is the order, and the files of one run
 * mostly share a zone. A time without a year gets the one in which the file was written; where
 * nothing tells that, it is no time. Nothing is allocated: this runs for every line.
 */
final class Stamp {
  /** No time. */
  static final long NONE = Long.MIN_VALUE;

  private static final long DAY = 86_400_000_000L;

  /** A later one is a number that happens to look like a time. */
  private static final int LAST_YEAR = 2100;

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** When the file was last written, microseconds since 1970; {@link #NONE}: not known. */
  private long written;

  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private int digits;

  /** Microseconds since 1970 of the last {@link #read}. */
  long micros = NONE;

  /** Where the text goes on after it. */
  int next;

  Stamp(long written) {
    this.written = written;
  }

  /** Whether a time begins here, perhaps behind a bracket. */
  boolean read(byte[] line, int from, int to) {
    if (to - from < 14) {
      return false;
    }
    bytes = line;
    at = from;
    end = to;
    boolean bracket = bytes[at] == '[' || bytes[at] == '(';
    if (bracket) {
      at++;
    }
    byte first = bytes[at];
    boolean found;
    if (first >= '0' && first <= '9') {
      found = numeric();
    } else if (digitAt(at + 1) && (first == 'E' || first == 'W' || first == 'I' || first == 'F')) {
      found = glog();
    } else {
      found = first >= 'A' && first <= 'W' && named();
    }
    if (found) {
      if (bracket && at < end && (bytes[at] == ']' || bytes[at] == ')')) {
        at++;
      }
      next = at;
    }
    return found;
  }

  private boolean digitAt(int place) {
    return place < end && bytes[place] >= '0' && bytes[place] <= '9';
  }

  private boolean numeric() {
    int begin = at;
    int first = number(10);
    int length = digits;
    byte separator = at < end ? bytes[at] : 0;
    if (length == 4 && (separator == '-' || separator == '/')) {
      at++;
      int month = number(2);
      if (!take(separator)) {
        return false;
      }
      int day = number(2);
      return separated() && clock(first, month, day, true);
    }
    if (length == 2 && separator == '/') {
      at++;
      int day = number(2);
      if (!take((byte) '/')) {
        return false;
      }
      int year = number(4);
      return digits == 4 && separated() && clock(year, first, day, false);
    }
    if (length == 10 && separator == '.' && bytes[begin] == '1') {
      micros = first * 1_000_000L + fraction();
      return true;
    }
    return false;
  }

  private boolean separated() {
    if (at >= end) {
      return false;
    }
    byte between = bytes[at];
    if (between == 'T' || between == ' ' || between == '_' || between == '-') {
      at++;
      return true;
    }
    return false;
  }

  private boolean glog() {
    at++;
    int date = number(4);
    if (digits < 3 || !take((byte) ' ')) {
      return false;
    }
    return yearless(date / 100, date % 100);
  }

  /** {@code Nov 16 03:45:03}, {@code Mon Nov 16 03:45:03 2026}. */
  private boolean named() {
    int month = month();
    if (month == 0) {
      if (at + 4 >= end || bytes[at + 3] != ' ') {
        return false;
      }
      at += 4;
      month = month();
      if (month == 0) {
        return false;
      }
    }
    at += 3;
    if (!take((byte) ' ')) {
      return false;
    }
    if (at < end && bytes[at] == ' ') {
      at++;
    }
    int day = number(2);
    if (digits == 0 || !take((byte) ' ')) {
      return false;
    }
    int clock = at;
    if (at + 13 <= end && bytes[at + 8] == ' ' && digitAt(at + 9) && digitAt(at + 12)) {
      at += 9;
      int year = number(4);
      boolean whole = digits == 4 && (at == end || bytes[at] == ']' || bytes[at] == ' ');
      int after = at;
      at = clock;
      if (whole && year > 1999 && clock(year, month, day, false)) {
        at = after;
        return true;
      }
      at = clock;
    }
    return yearless(month, day);
  }

  private int month() {
    if (at + 3 > end) {
      return 0;
    }
    for (int month = 0; month < 12; month++) {
      if (bytes[at] == MONTHS.charAt(3 * month)
          && bytes[at + 1] == MONTHS.charAt(3 * month + 1)
          && bytes[at + 2] == MONTHS.charAt(3 * month + 2)) {
        return month + 1;
      }
    }
    return 0;
  }

  private boolean yearless(int month, int day) {
    if (written == NONE) {
      return false;
    }
    int year = yearOf(written);
    int clock = at;
    if (!clock(year, month, day, false)) {
      return false;
    }
    if (micros > written + 2 * DAY) {
      at = clock;
      return clock(year - 1, month, day, false);
    }
    return true;
  }

  /** {@code 03:45:03.123} at this place, of this day. */
  private boolean clock(int year, int month, int day, boolean zoned) {
    int hour = number(2);
    if (digits != 2 || !take((byte) ':')) {
      return false;
    }
    int minute = number(2);
    if (digits != 2 || !take((byte) ':')) {
      return false;
    }
    int second = number(2);
    if (digits != 2
        || month < 1
        || month > 12
        || day < 1
        || day > 31
        || hour > 23
        || minute > 59
        || second > 60
        || year < 1970
        || year > LAST_YEAR) {
      return false;
    }
    long time = days(year, month, day) * DAY;
    time += ((hour * 60L + minute) * 60 + second) * 1_000_000L;
    if (at + 1 < end && (bytes[at] == '.' || bytes[at] == ',') && digitAt(at + 1)) {
      time += fraction();
    }
    if (zoned) {
      time -= zone();
      if (written == NONE) {
        written = time;
      }
    }
    micros = time;
    return true;
  }

  private long zone() {
    if (at < end && bytes[at] == 'Z') {
      at++;
      return 0;
    }
    if (at + 4 < end && (bytes[at] == '+' || bytes[at] == '-') && digitAt(at + 1)) {
      int begin = at;
      int sign = bytes[at] == '-' ? -1 : 1;
      at++;
      int hours = number(2);
      if (at < end && bytes[at] == ':') {
        at++;
      }
      int minutes = digitAt(at) ? number(2) : -1;
      if (minutes >= 0 && hours <= 14 && minutes < 60) {
        return sign * (hours * 60L + minutes) * 60_000_000L;
      }
      at = begin;
    }
    return 0;
  }

  /** Behind the point, as microseconds. */
  private long fraction() {
    at++;
    long value = 0;
    long unit = 100_000;
    while (digitAt(at)) {
      value += (bytes[at] - '0') * unit;
      unit /= 10;
      at++;
    }
    return value;
  }

  private int number(int most) {
    int value = 0;
    digits = 0;
    while (digits < most && digitAt(at)) {
      value = value * 10 + (bytes[at] - '0');
      at++;
      digits++;
    }
    return value;
  }

  private boolean take(byte wanted) {
    if (at < end && bytes[at] == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private static int yearOf(long micros) {
    return java.time.LocalDate.ofEpochDay(Math.floorDiv(micros, DAY)).getYear();
  }

  /** Days since 1970 of a date of the Gregorian calendar, counted in years that begin in March. */
  private static long days(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    long era = y / 400;
    long ofEra = y - era * 400;
    long ofYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468;
  }
}
