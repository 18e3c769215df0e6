package dev.holdfast.core.forensics.debug;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what compute-sanitizer and its forerunner cuda-memcheck write. Each line of theirs begins
 * with nine equal signs; after them a line that is not indented begins something, indented ones
 * belong to it:
 *
 * <pre>
 * ========= Invalid __global__ write of size 4 bytes
 * =========     at fill(int *)+0x90 in out_of_bounds.cu:8
 * =========     by thread (32,0,0) in block (0,0,0)
 * ========= ERROR SUMMARY: 1 error
 * </pre>
 *
 * <p>Other lines are the program's own.
 */
public final class SanitizerReport {
  private static final String MARK = "=========";
  private static final int MOST_DETAILS = 200;

  /** {@code kernel(int *)+0x90 in file.cu:8}, without the source where there is none. */
  private static final Pattern AT =
      Pattern.compile("(?:at )?(.+?)\\+0x[0-9a-fA-F]+(?: in (.+?):(\\d+))?(?: \\[.*\\])?");

  /** {@code 0x90 in file.cu:8:kernel(int*)}, as it was written before 2022. */
  private static final Pattern OLD_AT =
      Pattern.compile("(?:at )?0x[0-9a-fA-F]+ in (?:(.+?):(\\d+):)?(.+?)(?: \\[.*\\])?");

  private static final Pattern RACE =
      Pattern.compile("(Error|Warning|Info): (Race reported between \\w+ access) at (.+)");
  private static final Pattern HAZARDS = Pattern.compile("\\[(\\d+) hazards?\\]");
  private static final Pattern SUMMARY = Pattern.compile("ERROR SUMMARY: (\\d+) errors?.*");
  private static final Pattern RACES =
      Pattern.compile("RACECHECK SUMMARY: .*\\((\\d+) errors?, (\\d+) warnings?\\).*");

  /** {@code Error: Potential RAW hazard detected at __shared__ 0x484 in block (0,0,0) :}. */
  private static final Pattern HAZARD =
      Pattern.compile("(?:Error|Warning|Info): (.*hazard detected at \\S+) 0x.*");

  private static final Pattern THREAD = Pattern.compile("\\w+ Thread \\([\\d, ]*\\) at (.+)");
  private static final Pattern LEAKED = Pattern.compile("(Leaked )[\\d,]+( bytes) at 0x.*");
  private static final Pattern HOST = Pattern.compile("Host Frame:\\s*(.*)");

  /** Frames that every launch goes through. */
  private static final Pattern DRIVER =
      Pattern.compile(
          ".*(libcuda|libcudart|\\bcuda[A-Z]\\w*|__cudart|__device_stub|libc\\.so|__libc_start).*");

  private SanitizerReport() {}

  public static DebugReport read(String text) {
    DebugReport.Tally tally = new DebugReport.Tally();
    long total = -1;
    String head = "";
    List<String> details = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (!line.startsWith(MARK)) {
        continue;
      }
      String rest = line.substring(MARK.length()).stripTrailing();
      String said = rest.strip();
      if (rest.startsWith("  ") && !said.isEmpty()) {
        if (details.size() < MOST_DETAILS) {
          details.add(said);
        }
        continue;
      }
      finish(head, details, tally);
      head = "";
      details.clear();
      Matcher summary = SUMMARY.matcher(said);
      Matcher races = RACES.matcher(said);
      if (summary.matches()) {
        total = Math.max(0, total) + number(summary.group(1));
      } else if (races.matches()) {
        total = Math.max(0, total) + number(races.group(1)) + number(races.group(2));
      } else if (!banner(said)) {
        head = said;
      }
    }
    finish(head, details, tally);
    return tally.report(total);
  }

  private static boolean banner(String said) {
    return said.isEmpty()
        || said.equals("COMPUTE-SANITIZER")
        || said.equals("CUDA-MEMCHECK")
        || said.startsWith("LEAK SUMMARY")
        || said.startsWith("Program hit") && said.contains("cudaSuccess");
  }

  private static void finish(String head, List<String> details, DebugReport.Tally tally) {
    Matcher race = RACE.matcher(head);
    if (race.matches()) {
      race(race, details, tally);
    } else if (!head.isEmpty() && details.isEmpty()) {
      tally.remark(head);
    } else if (!head.isEmpty()) {
      tally.add(error(head, details));
    }
  }

  private static DebugError error(String head, List<String> details) {
    Site site = new Site("", "");
    for (String line : details) {
      Matcher thread = THREAD.matcher(line);
      if (line.startsWith("at ") || thread.matches()) {
        site = site(thread.matches() ? thread.group(1) : line);
        break;
      }
    }
    // Addresses and sizes differ from one to the next; what is wrong is one kind of error.
    return new DebugError(
        HAZARD.matcher(LEAKED.matcher(head).replaceAll("$1memory")).replaceAll("$1"),
        site.kernel(),
        site.place(),
        String.join("; ", details.stream().filter(SanitizerReport::tells).limit(4).toList()),
        launched(details, site.kernel()),
        1);
  }

  /** One access in the head, the others in the lines below, each with how often. */
  private static void race(Matcher race, List<String> details, DebugReport.Tally tally) {
    long hazards = 0;
    List<String> others = new ArrayList<>();
    for (String line : details) {
      Matcher count = HAZARDS.matcher(line);
      if (line.startsWith("and ")) {
        others.add(line);
      }
      if (count.find()) {
        hazards += number(count.group(1));
      }
    }
    Site site = site(race.group(3));
    tally.add(
        new DebugError(
            race.group(2).replace("Race reported between", "Race of a"),
            site.kernel(),
            site.place(),
            String.join("; ", others.stream().limit(4).toList()),
            launched(details, site.kernel()),
            Math.max(1, hazards)));
  }

  private record Site(String kernel, String place) {}

  private static Site site(String text) {
    Matcher old = OLD_AT.matcher(text);
    if (old.matches()) {
      return new Site(old.group(3), old.group(1) == null ? "" : old.group(1) + ":" + old.group(2));
    }
    Matcher at = AT.matcher(text);
    if (at.matches()) {
      return new Site(at.group(1), at.group(2) == null ? "" : at.group(2) + ":" + at.group(3));
    }
    return new Site(text.replaceFirst("^at ", ""), "");
  }

  /** What is said beside the place and the stack. */
  private static boolean tells(String line) {
    return !line.startsWith("at ")
        && !line.startsWith("Host Frame")
        && !line.startsWith("Device Frame")
        && !line.startsWith("Saved host backtrace");
  }

  /** The first frame of the host that is neither the driver's nor the kernel's own stub. */
  private static String launched(List<String> details, String kernel) {
    for (String line : details) {
      Matcher frame = HOST.matcher(line);
      if (frame.matches() && !DRIVER.matcher(frame.group(1)).matches()) {
        String name = frame.group(1).replaceAll("\\s*\\[0x[0-9a-fA-F]+\\]", "").strip();
        boolean stub =
            !kernel.isEmpty() && name.replace(" ", "").startsWith(kernel.replace(" ", ""));
        if (!stub) {
          return name;
        }
      }
    }
    return "";
  }

  private static long number(String digits) {
    return digits.length() > 18 ? Long.MAX_VALUE / 4 : Long.parseLong(digits);
  }
}
