package dev.holdfast.doctor.testing;

import dev.holdfast.doctor.Doctor;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.node.RecordedNode;
import dev.holdfast.doctor.site.Site;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A made-up node for one test: a few files, a few probes, and the check to put to it. */
public final class TestNode {
  private final Map<String, String> members = new TreeMap<>();
  private Site site = Site.none(LocalDate.of(2026, 1, 1));

  public TestNode() {
    members.put("about", "node=n1\ntime=2026-01-01T12:00:00Z\n");
    members.put("root/proc/sys/kernel/random/boot_id", "boot-1\n");
  }

  public TestNode file(String path, String text) {
    members.put("root" + path, text);
    return this;
  }

  public TestNode probe(String name, String text) {
    members.put("probe/" + name, text);
    return this;
  }

  /** NVML facts of a node with a working library, given as {@code key=value} lines. */
  public TestNode nvml(String... lines) {
    return probe("nvml", "library.present=true\n" + String.join("\n", lines) + "\n");
  }

  public TestNode link(String path, String target) {
    return row("links", path, target);
  }

  public TestNode denied(String path, String why) {
    return row("missing", path, "denied", why);
  }

  public TestNode broken(String path, String why) {
    return row("missing", path, "broken", why);
  }

  /** One earlier sample of this boot, so that rates can be told. */
  public TestNode earlier(Duration ago, Map<String, Long> counters) {
    Instant time = Instant.parse("2026-01-01T12:00:00Z").minus(ago);
    var sample = new dev.holdfast.doctor.history.Sample(time, "boot-1", counters);
    var history = new dev.holdfast.doctor.history.History(List.of(sample));
    return probe("history", history.toJson());
  }

  public TestNode site(Site rules) {
    site = rules;
    return this;
  }

  private TestNode row(String table, String... fields) {
    members.merge(table, String.join("\t", fields) + "\n", String::concat);
    return this;
  }

  public RecordedNode node() {
    return new RecordedNode(members);
  }

  /** What the check says of this node. */
  public CheckResult examine(Check check) {
    Duration second = Duration.ofSeconds(10);
    return new Doctor(List.of(check), site, second, second)
        .examine(node(), Level.FULL)
        .report()
        .results()
        .getFirst();
  }
}
