package dev.holdfast.core.cluster;

import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a job: which ranks it holds. Rank {@code firstRank + i} uses device {@code i}. */
public record JobMember(String node, int firstRank, int processes) {

  /**
   * Members in few words: those that follow each other with as many ranks each are one element, its
   * nodes as a host list, so that a job of thousands of nodes fits into a line.
   */
  static List<Map<String, @Nullable Object>> json(List<JobMember> members) {
    List<Map<String, @Nullable Object>> groups = new ArrayList<>();
    int from = 0;
    while (from < members.size()) {
      int to = from + 1;
      while (to < members.size() && follows(members.get(to - 1), members.get(to))) {
        to++;
      }
      List<JobMember> alike = members.subList(from, to);
      List<String> names = alike.stream().map(JobMember::node).toList();
      String list = Hostlist.compress(names);
      if (Hostlist.expand(list).equals(names)) {
        groups.add(group(list, alike.getFirst()));
      } else {
        alike.forEach(it -> groups.add(group(it.node(), it)));
      }
      from = to;
    }
    return groups;
  }

  private static boolean follows(JobMember before, JobMember next) {
    return next.processes == before.processes
        && next.firstRank == before.firstRank + before.processes;
  }

  private static Map<String, @Nullable Object> group(String nodes, JobMember first) {
    return Json.map("nodes", nodes, "firstRank", first.firstRank, "processes", first.processes);
  }

  private static List<String> expand(String nodes) {
    try {
      return Hostlist.expand(nodes);
    } catch (HoldfastException wrong) {
      throw new IllegalArgumentException(wrong.detail(), wrong);
    }
  }

  /** The members of an element; one node may be written as {@code node}, too. */
  static List<JobMember> of(Fields fields) {
    int first = fields.integer("firstRank");
    int processes = fields.integer("processes");
    List<String> names =
        fields.has("nodes") ? expand(fields.text("nodes")) : List.of(fields.text("node"));
    List<JobMember> members = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      members.add(new JobMember(names.get(i), first + i * processes, processes));
    }
    return members;
  }
}
