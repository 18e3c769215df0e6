package dev.holdfast.bench.net;

import dev.holdfast.core.text.Hostlist;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host, and how many ranks it takes.
 *
 * <p>Written as {@code n1,n2:4,gpu[001-008]:8}, as the lines of a file for mpirun ({@code n1
 * slots=4}), or as Slurm tells its jobs.
 */
public record HostSlots(String host, int slots) {
  private static final Pattern ITEM = Pattern.compile("([^:\\s]+)(?::([0-9]{1,4}))?");
  private static final Pattern SLOTS = Pattern.compile("((?:max[-_])?slots)=([0-9]{1,4})");
  private static final Pattern TASKS = Pattern.compile("([0-9]{1,4})(?:\\(x([0-9]{1,6})\\))?");

  public HostSlots {
    if (slots < 1) {
      throw new IllegalArgumentException(host + ": " + slots + " ranks are none");
    }
  }

  /** Items between commas; those inside of brackets belong to a range. */
  public static List<HostSlots> list(String text) {
    List<HostSlots> found = new ArrayList<>();
    for (String item : text.split(",(?![^\\[]*\\])", -1)) {
      Matcher match = ITEM.matcher(item.strip());
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "--hosts: '" + item.strip() + "' is not HOST or HOST:SLOTS");
      }
      add(found, match.group(1), count(match.group(2)));
    }
    return found;
  }

  /** A host a line, as Open MPI and MPICH read it. */
  public static List<HostSlots> file(String text) {
    List<HostSlots> found = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String plain = line.replaceFirst("#.*", "").strip();
      if (plain.isEmpty()) {
        continue;
      }
      try {
        line(found, plain.replaceAll("\\s*=\\s*", "=").split("\\s+", -1));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException("line " + number + ": " + wrong.getMessage(), wrong);
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("it names no host");
    }
    return found;
  }

  /** The most slots that mpirun may take are no concern of ours. */
  private static void line(List<HostSlots> found, String... words) {
    Matcher host = ITEM.matcher(words[0]);
    boolean understood = host.matches();
    String slots = understood ? host.group(2) : null;
    for (int i = 1; i < words.length && understood; i++) {
      Matcher word = SLOTS.matcher(words[i]);
      understood = word.matches();
      if (understood && word.group(1).equals("slots")) {
        slots = word.group(2);
      }
    }
    if (!understood) {
      throw new IllegalArgumentException(
          "expected HOST, HOST:N or 'HOST slots=N', not '" + String.join(" ", words) + "'");
    }
    add(found, words[0].replaceFirst(":.*", ""), count(slots));
  }

  /** The nodes of the Slurm job this is part of; as many ranks on each as it has tasks. */
  public static List<HostSlots> slurm(Map<String, String> environment) {
    String nodes =
        environment.getOrDefault(
            "SLURM_JOB_NODELIST", environment.getOrDefault("SLURM_NODELIST", ""));
    if (nodes.isBlank()) {
      throw new IllegalArgumentException(
          "--slurm: SLURM_JOB_NODELIST is not set; run it inside of salloc or sbatch");
    }
    List<String> hosts = Hostlist.expand(nodes);
    List<Integer> tasks = tasks(environment.getOrDefault("SLURM_TASKS_PER_NODE", "1"));
    List<HostSlots> found = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      found.add(new HostSlots(hosts.get(i), i < tasks.size() ? tasks.get(i) : 1));
    }
    return found;
  }

  /** {@code 8(x2),4} means 8 on the first two nodes and 4 on the third. */
  private static List<Integer> tasks(String text) {
    List<Integer> tasks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher match = TASKS.matcher(part.strip());
      if (!match.matches()) {
        throw new IllegalArgumentException(
            "SLURM_TASKS_PER_NODE: '" + text + "' is not understood");
      }
      tasks.addAll(Collections.nCopies(count(match.group(2)), count(match.group(1))));
    }
    return tasks;
  }

  private static int count(@Nullable String digits) {
    return digits == null ? 1 : Integer.parseInt(digits);
  }

  private static void add(List<HostSlots> found, String names, int slots) {
    for (String host : names.contains("[") ? Hostlist.expand(names) : List.of(checked(names))) {
      found.add(new HostSlots(host, slots));
    }
  }

  /** What no program takes for an option or a shell for a command; user@host is fine. */
  private static String checked(String name) {
    if (!name.matches("[A-Za-z0-9_][A-Za-z0-9_.@%-]*")) {
      throw new IllegalArgumentException("'" + name + "' is no host name");
    }
    return name;
  }

  /**
   * The host of each rank, hosts filled one after the other.
   *
   * @param ranks 0: as many as there are slots
   */
  public static List<String> places(List<HostSlots> hosts, int ranks) {
    List<String> places = new ArrayList<>();
    for (HostSlots each : hosts) {
      places.addAll(Collections.nCopies(each.slots(), each.host()));
    }
    if (ranks > places.size()) {
      throw new IllegalArgumentException(
          "--ranks %d, but the hosts have %d slots: write HOST:SLOTS"
              .formatted(ranks, places.size()));
    }
    return List.copyOf(ranks == 0 ? places : places.subList(0, ranks));
  }
}
