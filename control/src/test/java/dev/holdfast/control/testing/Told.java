package dev.holdfast.control.testing;

import dev.holdfast.core.cluster.DeviceDescription;
import dev.holdfast.core.cluster.JobDescription;
import dev.holdfast.core.cluster.JobMember;
import dev.holdfast.core.cluster.JobProgress;
import dev.holdfast.core.cluster.NodeDescription;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Report;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What a source says, one report after the other. */
public final class Told {
  private final String source;
  private long sequence;

  public Told(String source) {
    this.source = source;
  }

  public static Told node(String name) {
    return new Told("node/" + name);
  }

  public Report say(Statement statement) {
    sequence++;
    return new Report(source, 1, sequence, Instant.EPOCH, statement);
  }

  public static Statement described(String node, String rack, String leaf) {
    TreeMap<String, String> place = new TreeMap<>();
    place.put("rack", rack);
    place.put("leaf", leaf);
    return new Statement.Described(
        new NodeDescription(
            node,
            "test",
            place,
            new TreeMap<>(),
            IntStream.range(0, 8)
                .mapToObj(
                    it -> new DeviceDescription("gpu", "" + it, "H200", "switch" + it / 2, ""))
                .toList()));
  }

  /** The same, by an agent that says itself which jobs are there. */
  public static Statement confirming(String node) {
    Statement.Described told = (Statement.Described) described(node, "r1", "l1");
    return new Statement.Described(told.node().confirming());
  }

  /** A launcher of that job is there. */
  public static Statement here(String job) {
    return new Statement.JobHere(job, "somebody", true);
  }

  /** It is there no more. */
  public static Statement gone(String job) {
    return new Statement.JobHere(job, "somebody", false);
  }

  public static Statement raised(
      String check, Subject subject, Finding.Kind kind, Severity severity, FaultClass faultClass) {
    return new Statement.Raised(
        new Finding(
            check,
            subject,
            kind,
            severity,
            faultClass,
            Proof.RECORDED,
            check + " on " + subject,
            Optional.empty(),
            List.of(new Evidence("test", "said so")),
            "it hurts",
            "mend it"),
        1);
  }

  /**
   * An error code of the kernel log, whose check is written from documents.
   *
   * @param row how far its row is proven; empty: as an older agent tells it
   */
  public static Statement xid(String node, int gpu, int code, Optional<Proof> row) {
    return new Statement.Raised(
        new Finding(
            "gpu.kernel.xid",
            new Subject.Node(node).gpu(gpu),
            Finding.Kind.EVENT,
            Severity.FATAL,
            FaultClass.HARDWARE,
            Proof.DOCUMENTED,
            row,
            "Xid " + code,
            Optional.empty(),
            List.of(new Evidence("kernel-log", "NVRM: Xid " + code)),
            "it hurts",
            "mend it"),
        1);
  }

  public static Statement lostGpu(String node, int gpu) {
    return raised(
        "gpu.reachable",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.CONDITION,
        Severity.FATAL,
        FaultClass.HARDWARE);
  }

  public static Statement worse(String node, int gpu) {
    return raised(
        "gpu.ecc.corrected",
        new Subject.Node(node).gpu(gpu),
        Finding.Kind.CONDITION,
        Severity.DEGRADED,
        FaultClass.HARDWARE);
  }

  public static Statement linkDown(String node) {
    return raised(
        "nic.state",
        new Subject.Node(node).nic("mlx5_0", 1),
        Finding.Kind.CONDITION,
        Severity.DEGRADED,
        FaultClass.NETWORK);
  }

  public static Statement job(String job, Instant checkpoint, String... nodes) {
    return job(job, JobDescription.State.RUNNING, checkpoint, nodes);
  }

  /** A condition of some part that no check of ours is about. */
  public static Statement fault(Subject subject) {
    return raised(
        "site.fault", subject, Finding.Kind.CONDITION, Severity.DEGRADED, FaultClass.NETWORK);
  }

  public static Statement stepped(String job, int attempt, long step) {
    return new Statement.JobStepped(new JobProgress(job, attempt, step, 1, Optional.empty(), 0));
  }

  public static Statement job(
      String job, JobDescription.State state, Instant checkpoint, String... nodes) {
    return job("somebody", job, state, 0, checkpoint, nodes);
  }

  public static Statement attempt(String job, int attempt, String... nodes) {
    return job("somebody", job, JobDescription.State.RUNNING, attempt, Instant.EPOCH, nodes);
  }

  public static Statement of(String user, String job, String... nodes) {
    return job(user, job, JobDescription.State.RUNNING, 0, Instant.EPOCH, nodes);
  }

  private static Statement job(
      String user,
      String job,
      JobDescription.State state,
      int attempt,
      Instant checkpoint,
      String... nodes) {
    return new Statement.JobTold(
        new JobDescription(
            job,
            user,
            state,
            attempt,
            0,
            Instant.EPOCH,
            IntStream.range(0, nodes.length)
                .mapToObj(it -> new JobMember(nodes[it], it * 8, 8))
                .toList(),
            100,
            1.0,
            Optional.of(checkpoint),
            1800,
            List.of()));
  }
}
