package dev.holdfast.cli.operator;

import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.JobMembers;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Hostlist;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Jobs as their launchers told the control plane. */
public final class JobKind implements Kind {
  private static final Set<String> OVER = Set.of("finished", "failed");

  @Override
  public String plural() {
    return "jobs";
  }

  @Override
  public Collection<String> nodes(Fields item) {
    return members(item).stream().map(JobMember::node).toList();
  }

  @Override
  public boolean shown(Fields item) {
    return !OVER.contains(item.text("state"));
  }

  @Override
  public Comparator<Fields> order() {
    return Comparator.comparing((Fields it) -> OVER.contains(it.text("state")))
        .thenComparing(Comparator.comparing((Fields it) -> it.integer("restarts", 0)).reversed())
        .thenComparing(Worst.newest("begun"));
  }

  @Override
  public String table(List<Fields> items, List<Fields> all, View view) {
    if (items.isEmpty()) {
      return "";
    }
    Rows rows = new Rows("JOB", "STATE", "RESTARTS", "STEP", "FOR", "RANKS", "NODES");
    for (Fields job : items) {
      long ranks = members(job).processes();
      long step = job.number("step", -1);
      rows.add(
          job.text("job"),
          job.text("state"),
          Integer.toString(job.integer("restarts", 0)),
          step < 0 ? "" : Long.toString(step),
          Ages.age(job, "begun", view.now()),
          Long.toString(ranks),
          hosts(job));
    }
    return rows.text(view.style(), view.width());
  }

  private String hosts(Fields job) {
    JobMembers members = members(job);
    String hosts = Hostlist.write(members.runs().stream().map(JobMembers.Run::hosts).toList());
    return members.leftOut() == 0 ? hosts : hosts + " and " + members.leftOut() + " more";
  }

  private static JobMembers members(Fields job) {
    return JobMembers.read(job.objects("members"), job.number("nodesLeftOut", 0));
  }

  @Override
  public String page(Fields job, View view) {
    Page page = new Page(view);
    page.title(job.text("job"), job.text("state") + ", attempt " + job.integer("attempt"));
    page.fact("user", job.text("user", ""));
    page.fact(
        "begun",
        Ages.hour(job.text("begun")) + " UTC, " + Ages.age(job, "begun", view.now()) + " ago");
    page.fact("restarts", Integer.toString(job.integer("restarts", 0)));
    long step = job.number("step", -1);
    page.fact("step", step < 0 ? "" : Long.toString(step));
    page.fact(
        "checkpoint",
        job.has("checkpoint") ? Ages.age(job, "checkpoint", view.now()) + " ago" : "");
    page.fact("nodes", hosts(job));
    page.fact("told by", job.text("source", ""));
    List<Fields> losses = job.objects("losses");
    page.heading("Time lost", losses.size());
    losses.forEach(
        it ->
            page.line(
                "%.0f s  %s, %s"
                    .formatted(it.decimal("seconds", 0), it.text("phase"), it.text("cause", ""))));
    return page.text();
  }
}
