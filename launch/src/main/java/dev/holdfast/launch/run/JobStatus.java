package dev.holdfast.launch.run;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.DeviceLoad;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a run is at the moment, as the launcher of one node tells it to whoever asks over its socket.
 *
 * @param state waiting, running, stopping, finished
 * @param leader whether this launcher decides for the job
 * @param seconds how long the job has been there
 * @param folder where this node's logs and the timeline are
 * @param findings what was found in this run, the oldest first
 */
public record JobStatus(
    String job,
    String node,
    String state,
    boolean leader,
    int attempt,
    int restarts,
    int maxRestarts,
    int worldSize,
    double seconds,
    String folder,
    List<NodeState> nodes,
    List<RankStatus> ranks,
    List<String> findings) {

  /** A launcher of the job: running, spare, lost. */
  public record NodeState(String node, String state) {}

  /**
   * @param state the kernel's letter, or {@code exited}
   * @param quietSeconds since the last sign of progress: output, step, input and output; −1 unknown
   */
  public record RankStatus(
      int rank,
      String node,
      long pid,
      String state,
      long step,
      String phase,
      double cpuSeconds,
      double quietSeconds,
      String waitsFor,
      DeviceLoad load) {}

  public JobStatus {
    nodes = List.copyOf(nodes);
    ranks = List.copyOf(ranks);
    findings = List.copyOf(findings);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "schema",
        "holdfast.job/1",
        "job",
        job,
        "node",
        node,
        "state",
        state,
        "leader",
        leader,
        "attempt",
        attempt,
        "restarts",
        restarts,
        "maxRestarts",
        maxRestarts,
        "worldSize",
        worldSize,
        "seconds",
        seconds,
        "folder",
        folder,
        "nodes",
        nodes.stream().map(n -> Json.map("node", n.node(), "state", n.state())).toList(),
        "ranks",
        ranks.stream().map(JobStatus::rank).toList(),
        "findings",
        findings);
  }

  private static Map<String, @Nullable Object> rank(RankStatus rank) {
    return Json.map(
        "rank",
        rank.rank(),
        "node",
        rank.node(),
        "pid",
        rank.pid(),
        "state",
        rank.state(),
        "step",
        rank.step() < 0 ? null : rank.step(),
        "phase",
        rank.phase().isEmpty() ? null : rank.phase(),
        "cpuSeconds",
        rank.cpuSeconds(),
        "quietSeconds",
        rank.quietSeconds() < 0 ? null : rank.quietSeconds(),
        "waitsFor",
        rank.waitsFor().isEmpty() ? null : rank.waitsFor(),
        "device",
        rank.load().device().isEmpty() ? null : rank.load().device(),
        "devicePercent",
        rank.load().percent() < 0 ? null : rank.load().percent(),
        "deviceBytes",
        rank.load().bytes() < 0 ? null : rank.load().bytes());
  }

  /** What a launcher answered. */
  public static JobStatus of(String answer) {
    Fields fields = Fields.of("status", Json.object(answer));
    return new JobStatus(
        fields.text("job"),
        fields.text("node"),
        fields.text("state"),
        fields.flag("leader"),
        fields.integer("attempt"),
        fields.integer("restarts"),
        fields.integer("maxRestarts"),
        fields.integer("worldSize"),
        fields.decimal("seconds", 0),
        fields.text("folder"),
        fields.objects("nodes").stream()
            .map(n -> new NodeState(n.text("node"), n.text("state")))
            .toList(),
        fields.objects("ranks").stream()
            .map(
                r ->
                    new RankStatus(
                        r.integer("rank"),
                        r.text("node"),
                        r.number("pid"),
                        r.text("state"),
                        r.number("step", -1),
                        r.text("phase", ""),
                        r.decimal("cpuSeconds", 0),
                        r.decimal("quietSeconds", -1),
                        r.text("waitsFor", ""),
                        new DeviceLoad(
                            r.text("device", ""),
                            r.integer("devicePercent", -1),
                            r.number("deviceBytes", -1))))
            .toList(),
        fields.texts("findings"));
  }
}
