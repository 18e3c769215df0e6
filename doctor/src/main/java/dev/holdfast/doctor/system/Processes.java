package dev.holdfast.doctor.system;

import dev.holdfast.doctor.node.Mount;
import dev.holdfast.doctor.node.NodeView;
import dev.holdfast.doctor.node.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the {@code processes} probe tells.
 *
 * @param told the stuck ones, the zombies and the daemons; not every process
 */
public record Processes(long total, long zombies, List<Entry> told) {

  /**
   * One process.
   *
   * @param start when it began, in ticks since boot: with the number it names a process for good
   * @param switches how often it gave the processor up by itself; told for stuck ones
   * @param where the kernel function it sleeps in, if the right to know is there
   */
  public record Entry(
      String number,
      String state,
      String start,
      String parent,
      String name,
      OptionalLong switches,
      String where) {}

  public Processes {
    told = List.copyOf(told);
  }

  /** The processes, or the check is skipped. */
  public static Processes require(NodeView node) {
    if (hidden(node)) {
      throw new Unavailable("processes of other users are hidden here (hidepid): needs root");
    }
    long total = 0;
    long zombies = 0;
    List<Entry> told = new ArrayList<>();
    for (String line : node.requireProbe("processes").split("\n")) {
      String[] words = line.split("\t", -1);
      if (words[0].equals("total") && words.length == 2) {
        total = number(words[1]).orElse(0);
      } else if (words[0].equals("zombies") && words.length == 2) {
        zombies = number(words[1]).orElse(0);
      } else if (words.length >= 7) {
        told.add(
            new Entry(
                words[0], words[1], words[2], words[3], words[4], number(words[5]), words[6]));
      }
    }
    return new Processes(total, zombies, told);
  }

  /** Whether /proc shows this user only its own processes; then nothing can be said of others. */
  private static boolean hidden(NodeView node) {
    boolean restricted =
        Mount.parse(node.read(Mount.PATH).text().orElse("")).stream()
            .filter(mount -> mount.type().equals("proc") && mount.point().equals("/proc"))
            .flatMap(mount -> mount.superOptions().stream())
            .filter(option -> option.startsWith("hidepid="))
            .anyMatch(option -> !option.endsWith("=0") && !option.endsWith("=off"));
    return restricted && !Identity.of(node).capabilities().contains("CAP_SYS_PTRACE");
  }

  public boolean runs(String name) {
    return told.stream().anyMatch(entry -> entry.name.equals(name) && !entry.state.equals("Z"));
  }

  public List<Entry> in(String state) {
    return told.stream().filter(entry -> entry.state.equals(state)).toList();
  }

  private static OptionalLong number(String digits) {
    try {
      return OptionalLong.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
