package dev.holdfast.core.forensics.logs;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads what launchers and schedulers say of processes that ended: {@code srun: error: n17: task
 * 12: Killed}, torchrun's table of failures with its root cause, slurmctld's nodes that do not
 * answer.
 */
final class Endings {
  private static final int MOST = 256;
  private static final int MOST_RANKS = 100_000;

  private final String file;
  private final List<Ending> all = new ArrayList<>();
  private boolean inRoot;
  private int rootRank = -1;
  private String rootHost = "";

  Endings(String file) {
    this.file = file;
  }

  List<Ending> all() {
    return all;
  }

  String file() {
    return file;
  }

  /** Whether the line told of an end. */
  boolean read(String line, Said said) {
    int before = all.size();
    if (line.contains("Root Cause (first observed failure)")) {
      inRoot = true;
      rootRank = -1;
      rootHost = "";
    } else if (inRoot) {
      root(line, said);
    } else if (line.contains("Node failure on ")) {
      lost(line.substring(line.indexOf("Node failure on ") + 16), said);
    } else if (line.contains(" not responding, setting DOWN")) {
      String head = line.substring(0, line.indexOf(" not responding, setting DOWN"));
      lost(head.substring(head.lastIndexOf(' ') + 1), said);
    } else {
      task(line, said);
    }
    return all.size() > before;
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
    if (at < 0) {
      return;
    }
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

  /** The lines below torchrun's headline. */
  private void root(String line, Said said) {
    int colon = line.indexOf(':');
    String value = colon < 0 ? "" : line.substring(colon + 1).strip();
    if (line.contains("host      :")) {
      rootHost = value.equals("localhost") ? "" : value.split("[ .]", 2)[0];
    } else if (line.contains("rank      :")) {
      rootRank = (int) Math.min(MOST_RANKS, Wait.number(line, ":", colon));
    } else if (line.contains("exitcode  :")) {
      boolean negative = value.startsWith("-");
      long number = Wait.number(negative ? value.substring(1) : value, "", 0);
      inRoot = false;
      if (number >= 0 && number < 256) {
        add(
            new Ending(
                true,
                false,
                rootRank < 0 ? List.of() : List.of(rootRank),
                rootHost,
                negative ? -1 : (int) number,
                negative ? (int) number : 0,
                false,
                new Said(
                    said.time(),
                    said.exact(),
                    said.line(),
                    said.file(),
                    "torchrun: first failure is rank " + rootRank + ", " + line.strip())));
      }
    }
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
