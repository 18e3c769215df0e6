package dev.holdfast.testing.slurm;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a cluster shall be like before it is started: how many nodes, what is set, which programs
 * Slurm calls.
 *
 * <p>Defaults are for tests: short timeouts, requeueing allowed, eight pretended GPUs a node.
 *
 * @param nodes node1, node2, …
 * @param gpus of each node; character devices, so that Slurm sets CUDA_VISIBLE_DEVICES
 * @param ownHosts whether each node has a network and a host name of its own
 * @param settings lines of slurm.conf on top of ours
 * @param programs shell scripts by setting: Prolog, Epilog, HealthCheckProgram, …
 */
public record SlurmPlan(
    int nodes,
    int gpus,
    boolean ownHosts,
    Map<String, String> settings,
    Map<String, String> programs) {

  public SlurmPlan {
    settings = Map.copyOf(settings);
    programs = Map.copyOf(programs);
  }

  public static SlurmPlan of(int nodes) {
    return new SlurmPlan(nodes, 8, false, Map.of(), Map.of());
  }

  public SlurmPlan gpus(int each) {
    return new SlurmPlan(nodes, each, ownHosts, settings, programs);
  }

  /** Each slurmd in a network namespace of its own, whose cable can be cut. */
  public SlurmPlan onOwnHosts() {
    return new SlurmPlan(nodes, gpus, true, settings, programs);
  }

  /** A line of slurm.conf, in place of ours where there is one. */
  public SlurmPlan set(String name, String value) {
    return new SlurmPlan(nodes, gpus, ownHosts, with(settings, name, value), programs);
  }

  /**
   * A program Slurm calls.
   *
   * @param setting Prolog, Epilog, TaskProlog, HealthCheckProgram, …
   * @param script the text of a shell script; {@code $SLURM_CONF} is set in it
   */
  public SlurmPlan program(String setting, String script) {
    return new SlurmPlan(nodes, gpus, ownHosts, settings, with(programs, setting, script));
  }

  /** Skips the calling test where Slurm, or the right to run it, is missing. */
  public SlurmCluster start() throws IOException, InterruptedException {
    return SlurmCluster.start(this);
  }

  private static Map<String, String> with(Map<String, String> all, String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(all);
    more.put(name, value);
    return more;
  }
}
