package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what launchers and schedulers say of processes that ended: {@code srun: error: n17: task
 * 12: Killed}, torchrun's line and its table of failures with the root cause, {@code mpirun noticed
 * that process rank 3 …}, Hydra's box, DeepSpeed's return code, what PyTorch spawned, slurmctld's
 * nodes that do not answer.
 */
final class Endings {
  private static final int MOST = 256;
  private static final int MOST_RANKS = 100_000;
  private static final int MOST_MATCHED = 1_000;

  private static final Pattern TORCHRUN =
      Pattern.compile("failed \\(exitcode: (-?\\d{1,3})\\).{0,200}?local_rank: (\\d{1,5})");
  private static final Pattern DEEPSPEED =
      Pattern.compile("exits with return code = (-?\\d{1,3})\\b");
  private static final Pattern OPEN_MPI =
      Pattern.compile(
          "process rank (\\d{1,6}) with PID \\S{1,12} on node (\\S{1,255}) exited on signal (\\d{1,2})");
  private static final Pattern SPAWNED =
      Pattern.compile(
          "process (\\d{1,5}) terminated with (?:signal (SIG[A-Z]{2,8})|exit code (\\d{1,3}))");
  private static final Pattern LAUNCH = Pattern.compile("died with <Signals\\.(SIG[A-Z]{2,8}):");
  private static final Pattern PROCESS_NAME =
      Pattern.compile("Process name: \\[\\[\\d{1,10},\\d{1,10}\\],(\\d{1,6})\\]");
  private static final Pattern HYDRA =
      Pattern.compile("(?:RANK (\\d{1,6}) )?PID \\d{1,10} RUNNING AT ([\\w.-]{1,255})");
  private static final Pattern CODE =
      Pattern.compile("(?:E(?:xit|XIT) (?:code|CODE)|KILLED BY SIGNAL): {1,8}(\\d{1,5})");

  private final String file;
  private final List<Ending> all = new ArrayList<>();

  /** Of the table or box that is read: the launcher calls it the first failure. */
  private boolean root;

  private int rank = -1;
  private String host = "";

  /** The next code is that of whom {@link #rank} and {@link #host} name. */
  private boolean named;

  /** Endings that tell the place on the node only: a table says more. */
  private final List<Ending> local = new ArrayList<>(0);

  Endings(String file) {
    this.file = file;
  }

  List<Ending> all() {
    List<Ending> both = new ArrayList<>(all);
    if (all.stream().noneMatch(Ending::root)) {
      both.addAll(local);
    }
    return both;
  }

  String file() {
    return file;
  }

  /** Whether the line told of an end. */
  boolean read(String line, Said said) {
    int before = all.size() + local.size();
    String near = line.length() > MOST_MATCHED ? line.substring(0, MOST_MATCHED) : line;
    if (near.contains("Root Cause (first observed failure)")) {
      root = true;
      rank = -1;
      host = "";
    } else if (near.contains("Node failure on ")) {
      lost(near.substring(near.indexOf("Node failure on ") + 16), said);
    } else if (near.contains(" not responding, setting DOWN")) {
      String head = near.substring(0, near.indexOf(" not responding, setting DOWN"));
      lost(head.substring(head.lastIndexOf(' ') + 1), said);
    } else if (near.contains("srun: error: ")) {
      task(near, said);
    } else if (!table(near, said) && !box(near, said)) {
      launcher(near, said);
    }
    return all.size() + local.size() > before;
  }

  private void lost(String nodes, Said said) {
    String list = nodes.strip().split("[ ;]", 2)[0];
    try {
      for (String node : Hostlist.expand(list)) {
        add(new Ending(false, true, List.of(), node, -1, 0, false, said));
      }
    } catch (HoldfastException notAList) {
      // Not a list of nodes: then the line tells of none.
    }
  }

  /** {@code srun: error: n17: tasks 8-11,13: Exited with exit code 1}. */
  private void task(String line, Said said) {
    int at = line.indexOf("srun: error: ");
    String[] parts = line.substring(at + 13).split(": ", 3);
    if (parts.length < 3 || !parts[1].startsWith("task")) {
      return;
    }
    String list = parts[1].substring(parts[1].indexOf(' ') + 1);
    Optional<List<Integer>> ranks = numbers(list);
    if (ranks.isEmpty()) {
      return;
    }
    String how = parts[2];
    long code = Wait.number(how, "exit code ", 0);
    add(
        new Ending(
            false,
            false,
            ranks.get(),
            parts[0],
            code >= 0 && code < 256 ? (int) code : -1,
            signal(how),
            how.startsWith("Out Of Memory"),
            said));
  }

  private static int signal(String how) {
    if (how.startsWith("Killed")) {
      return 9;
    }
    if (how.startsWith("Segmentation fault")) {
      return 11;
    }
    if (how.startsWith("Bus error")) {
      return 7;
    }
    if (how.startsWith("Illegal instruction")) {
      return 4;
    }
    if (how.startsWith("Floating point")) {
      return 8;
    }
    if (how.startsWith("Aborted")) {
      return 6;
    }
    return how.startsWith("Terminated") ? 15 : 0;
  }

  /** The lines of torchrun's table; only what stands below its last headline is the root. */
  private boolean table(String line, Said said) {
    int colon = line.indexOf(':');
    String value = colon < 0 ? "" : line.substring(colon + 1).strip();
    if (line.contains("host      :")) {
      host = value.equals("localhost") ? "" : value.split("[ .]", 2)[0];
    } else if (line.contains("rank      :")) {
      rank = (int) Math.min(MOST_RANKS, Wait.number(line, ":", colon));
    } else if (line.contains("exitcode  :")) {
      ended(root, value.split(" ", 2)[0], "torchrun: rank " + rank + ", " + line.strip(), said);
    } else {
      return false;
    }
    return true;
  }

  /** Two lines: Open MPI's {@code Process name: [[29973,1],3]}, Hydra's {@code RUNNING AT n17}. */
  private boolean box(String line, Said said) {
    Matcher name = PROCESS_NAME.matcher(line);
    Matcher hydra = HYDRA.matcher(line);
    if (name.find()) {
      rank = Integer.parseInt(name.group(1));
      host = "";
      named = true;
      return true;
    }
    if (hydra.find()) {
      rank = hydra.group(1) == null ? -1 : Integer.parseInt(hydra.group(1));
      host = hydra.group(2);
      named = true;
      return true;
    }
    Matcher code = CODE.matcher(line);
    if (!named || !code.find()) {
      return false;
    }
    boolean raw = line.contains("EXIT CODE"); // Hydra's is what wait() gave
    int number = Integer.parseInt(code.group(1));
    boolean signal = line.contains("KILLED BY SIGNAL") || raw && (number & 0x7f) != 0;
    String value = signal ? "-" + (number & 0x7f) : String.valueOf(raw ? number >> 8 : number);
    named = false;
    ended(false, value, (rank < 0 ? "" : "rank " + rank + ", ") + line.strip(), said);
    return true;
  }

  private void launcher(String line, Said said) {
    Matcher torchrun = TORCHRUN.matcher(line);
    Matcher deepspeed = DEEPSPEED.matcher(line);
    Matcher mpi = OPEN_MPI.matcher(line);
    Matcher spawned = SPAWNED.matcher(line);
    Matcher launch = LAUNCH.matcher(line);
    if (torchrun.find()) {
      local(Integer.parseInt(torchrun.group(2)), torchrun.group(1), said);
    } else if (deepspeed.find()) {
      // Beside it stands the command of the last process that was started, whichever failed.
      local(-1, deepspeed.group(1), said);
    } else if (mpi.find()) {
      rank = Integer.parseInt(mpi.group(1));
      host = mpi.group(2);
      ended(false, "-" + mpi.group(3), said.text(), said);
    } else if (launch.find()) {
      local(-1, "-" + SIGNALS.getOrDefault(launch.group(1), 0), said);
    } else if (spawned.find()) {
      String signal = spawned.group(2);
      String how = signal == null ? spawned.group(3) : "-" + SIGNALS.getOrDefault(signal, 0);
      local(Integer.parseInt(spawned.group(1)), how, said);
    }
  }

  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "SIGHUP", 1, "SIGINT", 2, "SIGILL", 4, "SIGABRT", 6, "SIGBUS", 7, "SIGFPE", 8, "SIGKILL",
          9, "SIGSEGV", 11, "SIGTERM", 15);

  private void local(int place, String code, Said said) {
    Ending ending = ending(false, place, "", code, said);
    if (local.size() < MOST) {
      local.add(ending);
    }
  }

  private void ended(boolean first, String code, String text, Said said) {
    root = false;
    if (code.matches("-?\\d{1,3}")) {
      Said told = new Said(said.time(), said.exact(), said.line(), said.file(), text);
      add(ending(first, rank, host, code, told));
    }
    rank = -1;
    host = "";
  }

  private static Ending ending(boolean root, int rank, String host, String code, Said said) {
    int number = Integer.parseInt(code);
    return new Ending(
        root,
        false,
        rank < 0 ? List.of() : List.of(rank),
        host,
        number >= 0 ? number : -1,
        number < 0 ? -number : 0,
        false,
        said);
  }

  private void add(Ending ending) {
    if (all.size() < MOST) {
      all.add(ending);
    }
  }

  /** {@code 8-11,13}; empty: something else. */
  static Optional<List<Integer>> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : text.split(",", 10_000)) {
      if (!part.matches("[0-9]{1,6}(-[0-9]{1,6})?")) {
        return Optional.empty();
      }
      int dash = part.indexOf('-');
      int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int to = dash < 0 ? from : Integer.parseInt(part.substring(dash + 1));
      if (to < from || numbers.size() + (to - from) > MOST_RANKS) {
        return Optional.empty();
      }
      for (int number = from; number <= to; number++) {
        numbers.add(number);
      }
    }
    return Optional.of(numbers);
  }
}
