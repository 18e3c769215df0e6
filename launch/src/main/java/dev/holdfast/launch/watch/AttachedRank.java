package dev.holdfast.launch.watch;

import dev.holdfast.os.file.BoundedFile;
import dev.holdfast.os.file.Form;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A rank that somebody else started.
 *
 * @param beatFile what HOLDFAST_BEAT_FILE says in its environment, where it may be read
 * @param stackFile what HOLDFAST_STACK_FILE says
 * @param device its accelerator, as {@link RankDevice} says; empty: not known
 */
public record AttachedRank(
    int rank,
    long pid,
    String name,
    Optional<Path> beatFile,
    Optional<Path> stackFile,
    String device) {
  private static final int MOST_PROCESSES = 65_536;
  private static final int MOST_ENVIRONMENT = 1 << 20;

  /** The processes of these numbers; ranks are what RANK says, else in the order given. */
  public static List<AttachedRank> ofPids(List<Long> pids) {
    List<AttachedRank> ranks = present(pids);
    for (long pid : pids) {
      if (ranks.stream().noneMatch(rank -> rank.pid() == pid)) {
        throw new IllegalArgumentException("there is no process " + pid);
      }
    }
    return ranks;
  }

  /** The same of those that are there. */
  public static List<AttachedRank> present(List<Long> pids) {
    Map<Long, Map<String, String>> environments = new HashMap<>();
    Map<Long, ProcStat> stats = new HashMap<>();
    Set<Integer> told = new HashSet<>();
    for (long pid : pids) {
      Optional<ProcStat> stat = stat(pid).filter(it -> it.state() != 'Z');
      if (stat.isPresent()) {
        Map<String, String> environment = environment(pid);
        stats.put(pid, stat.get());
        environments.put(pid, environment);
        number(environment, "RANK").ifPresent(told::add);
      }
    }
    boolean byName = told.size() == stats.size();
    List<AttachedRank> ranks = new ArrayList<>();
    for (int i = 0; i < pids.size(); i++) {
      ProcStat stat = stats.remove(pids.get(i));
      if (stat != null) {
        Map<String, String> environment = environments.getOrDefault(stat.pid(), Map.of());
        ranks.add(of(byName ? number(environment, "RANK").orElse(i) : i, stat, environment));
      }
    }
    ranks.sort(Comparator.comparingInt(AttachedRank::rank));
    return ranks;
  }

  /**
   * The ranks of a Slurm job on this node: processes that carry its number and a RANK, or where
   * none has one, a SLURM_PROCID; of several with the same, the one that started the others.
   */
  public static List<AttachedRank> ofSlurmJob(String job) {
    Map<Long, Map<String, String>> members = new HashMap<>();
    Map<Long, ProcStat> stats = new HashMap<>();
    for (String name : BoundedFile.list(Path.of("/proc"), MOST_PROCESSES).names()) {
      if (Character.isDigit(name.charAt(0))) {
        long pid = Long.parseLong(name);
        Map<String, String> environment = environment(pid);
        Optional<ProcStat> stat = stat(pid);
        if (job.equals(environment.get("SLURM_JOB_ID")) && stat.isPresent()) {
          members.put(pid, environment);
          stats.put(pid, stat.get());
        }
      }
    }
    boolean named = members.values().stream().anyMatch(one -> number(one, "RANK").isPresent());
    String variable = named ? "RANK" : "SLURM_PROCID";
    Map<Integer, AttachedRank> ranks = new HashMap<>();
    members.forEach(
        (pid, environment) -> {
          Optional<Integer> rank = number(environment, variable);
          ProcStat stat = stats.get(pid);
          Map<String, String> above = stat == null ? null : members.get(stat.parent());
          boolean top = above == null || !number(above, variable).equals(rank);
          if (rank.isPresent() && stat != null && top) {
            AttachedRank found = of(rank.get(), stat, environment);
            ranks.merge(rank.get(), found, (a, b) -> a.pid() < b.pid() ? a : b);
          }
        });
    return ranks.values().stream().sorted(Comparator.comparingInt(AttachedRank::rank)).toList();
  }

  private static AttachedRank of(int rank, ProcStat stat, Map<String, String> environment) {
    return new AttachedRank(
        rank,
        stat.pid(),
        stat.name(),
        path(environment, "HOLDFAST_BEAT_FILE"),
        path(environment, "HOLDFAST_STACK_FILE"),
        RankDevice.of(environment));
  }

  private static Optional<Path> path(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return value.startsWith("/") ? Optional.of(Path.of(value)) : Optional.empty();
  }

  private static Optional<Integer> number(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return value.matches("[0-9]{1,7}") ? Optional.of(Integer.valueOf(value)) : Optional.empty();
  }

  private static Optional<ProcStat> stat(long pid) {
    Path file = Path.of("/proc/" + pid + "/stat");
    return ProcStat.parse(BoundedFile.read(file, 4096).text().orElse(""));
  }

  /** Empty where it may not be read. */
  private static Map<String, String> environment(long pid) {
    Path file = Path.of("/proc/" + pid + "/environ");
    Map<String, String> values = new HashMap<>();
    String text = BoundedFile.read(file, MOST_ENVIRONMENT, Form.NUL_SEPARATED).text().orElse("");
    text.lines()
        .forEach(
            line -> {
              int at = line.indexOf('=');
              if (at > 0) {
                values.putIfAbsent(line.substring(0, at), line.substring(at + 1));
              }
            });
    return values;
  }
}
