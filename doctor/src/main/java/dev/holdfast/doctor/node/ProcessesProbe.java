package dev.holdfast.doctor.node;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Listing;
import dev.holdfast.os.file.Reading;
import java.nio.file.Path;
import java.util.Set;

/**
 * The processes that tell something of the node's health, out of all: those stuck in the kernel,
 * those dead and not buried, and the daemons a training node needs.
 */
final class ProcessesProbe {
  private static final Path PROC = Path.of("/proc");
  private static final int MAX_PROCESSES = 100_000;
  private static final int MAX_ROWS = 2000;
  private static final int MAX_FILE = 16 << 10;
  private static final Set<String> DAEMONS =
      Set.of(
          "slurmd",
          "slurmstepd",
          "munged",
          "chronyd",
          "ntpd",
          "systemd-timesyn",
          "nv-fabricmanage",
          "nvidia-persiste",
          "nv-hostengine",
          "containerd",
          "dockerd",
          "kubelet",
          "rasdaemon",
          "mcelog");

  private ProcessesProbe() {}

  static Reading read() {
    Listing names = BoundedFile.list(PROC, MAX_PROCESSES);
    StringBuilder rows = new StringBuilder();
    int total = 0;
    int zombies = 0;
    int told = 0;
    for (String name : names.names()) {
      if (!Character.isDigit(name.charAt(0))) {
        continue;
      }
      Stat stat = Stat.parse(text(name, "stat"));
      total++;
      zombies += stat.state.equals("Z") ? 1 : 0;
      boolean telling = stat.state.equals("D") || stat.state.equals("Z");
      if ((telling || DAEMONS.contains(stat.name)) && told < MAX_ROWS) {
        told++;
        rows.append(name).append('\t').append(stat.state).append('\t').append(stat.start);
        rows.append('\t').append(stat.parent).append('\t').append(stat.name);
        boolean stuck = stat.state.equals("D");
        rows.append('\t').append(stuck ? switches(text(name, "status")) : "");
        rows.append('\t').append(stuck ? text(name, "wchan").strip() : "").append('\n');
      }
    }
    return total == 0
        ? new Reading.Absent("/proc shows no processes")
        : new Reading.Text("total\t" + total + "\nzombies\t" + zombies + "\n" + rows);
  }

  private record Stat(String name, String state, String parent, String start) {
    private static final Stat GONE = new Stat("", "", "", "");

    /** The form is {@code 42 (name) S 1 …}, where the name may hold blanks and brackets. */
    static Stat parse(String text) {
      int open = text.indexOf('(');
      int close = text.lastIndexOf(')');
      if (open < 0 || close < open || close + 2 >= text.length()) {
        return GONE;
      }
      String[] rest = text.substring(close + 2).split(" ");
      return rest.length < 20
          ? GONE
          : new Stat(
              text.substring(open + 1, close).replaceAll("\\s", " "), rest[0], rest[1], rest[19]);
    }
  }

  private static String switches(String status) {
    for (String line : status.split("\n")) {
      if (line.startsWith("voluntary_ctxt_switches:")) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return "";
  }

  private static String text(String process, String file) {
    return BoundedFile.read(PROC.resolve(process).resolve(file), MAX_FILE).text().orElse("");
  }
}
