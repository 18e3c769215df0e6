package dev.holdfast.cli.command;

import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Durations;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.plan.LogFolders;
import dev.holdfast.launch.plan.Outlook;
import dev.holdfast.launch.plan.RankSpecs;
import dev.holdfast.launch.supervise.RankSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a run would start, said without starting it. */
final class DryRun {
  private static final int MOST_NODES = 16;

  private final JobSpec spec;
  private final Assignment outlook;
  private final List<RankSpec> ranks;

  DryRun(JobSpec spec, Map<String, String> environment, Path shim) {
    this.spec = spec;
    this.outlook = Outlook.of(spec);
    this.ranks = RankSpecs.of(spec, outlook, environment, shim);
  }

  String table(Style style, int width) {
    StringBuilder out = new StringBuilder();
    overview()
        .forEach(
            (name, text) ->
                out.append(Wrap.hanging("%-12s %s".formatted(name, text), 13, width)).append('\n'));
    out.append('\n').append(here(style));
    if (outlook.members().size() > 1) {
      out.append('\n').append(nodes(style));
    }
    spec.here()
        .binding()
        .notes()
        .forEach(note -> out.append(Wrap.hanging("note: " + note, 6, width)).append('\n'));
    out.append('\n').append(style.dim("environment of rank " + ranks.getFirst().rank()));
    out.append('\n');
    new TreeMap<>(ranks.getFirst().environment())
        .forEach((name, value) -> out.append(name).append('=').append(value).append('\n'));
    return out.toString();
  }

  private Map<String, String> overview() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("job", "%s, run %s (%s)".formatted(spec.job(), spec.runId(), spec.here().platform()));
    lines.put("program", String.join(" ", spec.program().command()));
    lines.put("nodes", team());
    lines.put("launchers", meeting());
    lines.put(
        "store",
        spec.team()
            .arbiter()
            .map(at -> "a new one for each attempt, at the arbiter %s".formatted(at.host()))
            .orElse(
                "a new one for each attempt, on the leader's node, port %s"
                    .formatted(spec.ports())));
    lines.put(
        "restarts",
        spec.ending().maxRestarts() == 0
            ? "none"
            : "%d for the whole job%s"
                .formatted(
                    spec.ending().maxRestarts(),
                    spec.ending().warm() ? "; a standby for each rank" : ""));
    lines.put(
        "hangs",
        spec.watching().hang().equals("off")
            ? "not looked for"
            : "%s; then %s".formatted(spec.watching().hang(), spec.watching().onHang().word()));
    lines.put("end", "TERM, %s, KILL".formatted(Durations.show(spec.ending().grace())));
    lines.put("left behind", guarantee());
    lines.put("logs", LogFolders.ofNode(spec));
    return lines;
  }

  private String team() {
    Team team = spec.team();
    String range =
        team.minNodes() == team.maxNodes()
            ? Integer.toString(team.minNodes())
            : team.minNodes() + " to " + team.maxNodes();
    String spares = team.spares() == 0 ? "" : ", %d spare".formatted(team.spares());
    String without =
        team.excluded().isEmpty() ? "" : ", without " + String.join(",", team.excluded());
    return "%s%s%s; %d ranks each, %d in all"
        .formatted(range, spares, without, spec.here().processes(), outlook.worldSize());
  }

  private String meeting() {
    Team team = spec.team();
    if (team.alone()) {
      return "only this one";
    }
    return "meet at %s port %d, %s"
        .formatted(
            team.host(), team.port(), team.hosted() ? "which is here" : "which is another node");
  }

  /** What is sure without trying; the start says what holds. */
  private static String guarantee() {
    boolean setpriv =
        List.of("/usr/bin/setpriv", "/bin/setpriv").stream()
            .anyMatch(path -> Path.of(path).toFile().canExecute());
    return setpriv
        ? "nobody: ranks die with the launcher (parent-death signal; cgroup.kill where permitted)"
        : "what ranks started may be, if the launcher is killed: setpriv (util-linux) is missing";
  }

  private String here(Style style) {
    Columns columns =
        new Columns(Set.of(0, 1), "rank", "local", "node", "CPUs", "memory", "device", "NIC");
    for (RankSpec rank : ranks) {
      Binding.Place place = spec.here().binding().place(rank.localRank());
      columns.add(
          List.of(
              Integer.toString(rank.rank()),
              Integer.toString(rank.localRank()),
              spec.here().node(),
              place.cpus().isEmpty() ? "any" : place.cpus(),
              place.memory().isEmpty() ? "" : "node " + place.memory(),
              place.devices(),
              place.adapters()));
    }
    return columns.text(style);
  }

  private String nodes(Style style) {
    Columns columns = new Columns(Set.of(0), "#", "node", "ranks");
    int shown = Math.min(MOST_NODES, outlook.members().size());
    for (int i = 0; i < shown; i++) {
      columns.add(List.of(Integer.toString(i), outlook.members().get(i).node(), ranksOf(i)));
    }
    int left = outlook.members().size() - shown;
    return columns.text(style)
        + (left > 0 ? "and %d more nodes%n".formatted(left) : "")
        + "as far as it is known before the launchers have met\n";
  }

  private String ranksOf(int node) {
    int first = outlook.firstRank(node);
    int last = first + outlook.members().get(node).processes() - 1;
    return first == last ? Integer.toString(first) : first + "-" + last;
  }

  Map<String, @Nullable Object> json() {
    return Json.map(
        "schema",
        "holdfast.dryrun/1",
        "spec",
        spec.json(),
        "folder",
        LogFolders.ofNode(spec),
        "worldSize",
        outlook.worldSize(),
        "leftBehind",
        guarantee(),
        "ranks",
        ranks.stream()
            .map(
                rank ->
                    Json.map(
                        "rank",
                        rank.rank(),
                        "localRank",
                        rank.localRank(),
                        "folder",
                        rank.folder(),
                        "cpus",
                        rank.cpus().isEmpty() ? null : rank.cpus(),
                        "keep",
                        rank.keep(),
                        "show",
                        rank.show(),
                        "environment",
                        new TreeMap<>(rank.environment())))
            .toList());
  }
}
