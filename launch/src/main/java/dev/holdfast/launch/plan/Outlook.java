package dev.holdfast.launch.plan;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Here;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.Team;
import java.util.ArrayList;
import java.util.List;

/**
 * Who would run which ranks if all nodes came and each started as many ranks as this one: what a
 * launcher can say before it has met the others. The port of the store is the first it may take.
 */
public final class Outlook {
  private Outlook() {}

  public static Assignment of(JobSpec spec) {
    Team team = spec.team();
    Here here = spec.here();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < team.maxNodes(); i++) {
      names.add(i < team.names().size() ? team.names().get(i) : "node " + i);
    }
    int place = Math.min(here.order(), names.size() - 1);
    if (!names.contains(here.node())) {
      names.set(place, here.node());
    }
    List<Member> members = new ArrayList<>();
    for (String name : names) {
      members.add(new Member(name, 0, name, team.port(), here.processes(), members.size()));
    }
    return new Assignment(
        spec.job(), 0, 0, members, team.alone() ? "127.0.0.1" : team.host(), spec.ports().first());
  }
}
