package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.HoldfastProgram;
import dev.holdfast.testing.slurm.Said;
import dev.holdfast.testing.slurm.SlurmCluster;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A Slurm cluster with Holdfast installed: hooks, health program, and a check of the site that
 * fails on a node for as long as a test wants it to.
 */
final class SlurmSite implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  final SlurmCluster cluster;
  final Path folder;

  private SlurmSite(SlurmCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  static SlurmSite start(Path folder, int nodes) throws IOException, InterruptedException {
    Path slurm = folder.resolve("slurm");
    Files.createDirectories(folder.resolve("checks"));
    script(
        folder.resolve("checks/planted.sh"),
        """
        if [ -e '%s/bad-'"$HOLDFAST_NODE" ]; then
          echo '{"outcome":"fail","severity":"fatal","summary":"a fault was planted"}'
        else
          echo '{"outcome":"pass"}'
        fi
        """
            .formatted(folder));
    // Only where a test wants it: a program for every job and look would be all this machine does.
    gate(folder, "prolog.d/45-holdfast", "prolog");
    gate(folder, "epilog.d/45-holdfast", "epilog");
    gate(folder, "holdfast/health", "health");
    script(
        folder.resolve("holdfast"),
        """
        HOLDFAST_CHECKS_DIR='%1$s/checks' HOLDFAST_STATE_DIR='%1$s/state'
        export HOLDFAST_CHECKS_DIR HOLDFAST_STATE_DIR
        exec '%2$s' "$@"
        """
            .formatted(
                folder,
                String.join("' '", HoldfastProgram.java(List.of("-XX:TieredStopAtLevel=1")))));
    SlurmCluster cluster =
        SlurmPlan.of(nodes)
            .onOwnHosts()
            .set("Prolog", gate(folder, "prolog.d/45-holdfast").toString())
            .set("Epilog", gate(folder, "epilog.d/45-holdfast").toString())
            .set(
                "SchedulerParameters", "batch_sched_delay=0,sched_interval=2,nohold_on_prolog_fail")
            .set("HealthCheckProgram", gate(folder, "holdfast/health").toString())
            .start();
    SlurmSite site = new SlurmSite(cluster, folder);
    int code =
        new TestConsole()
            .run(
                "slurm",
                "install",
                "--dir=" + slurm,
                "--enforce",
                "--program=" + site.program(),
                "--slurm-conf=" + cluster.configuration());
    assertThat(code).isZero();
    return site;
  }

  /** Calls what is installed, on nodes for which there is such a file. */
  private static void gate(Path folder, String hook, String file) throws IOException {
    script(
        gate(folder, hook),
        """
        [ -e '%1$s/%3$s-'"$SLURMD_NODENAME" ] || exit 0
        env > '%1$s/environment-'"$SLURMD_NODENAME"
        exec '%1$s/slurm/%2$s'
        """
            .formatted(folder, hook, file));
  }

  private static Path gate(Path folder, String hook) {
    return folder.resolve("gate-" + hook.replace('/', '-'));
  }

  static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  String program() {
    return folder.resolve("holdfast").toString();
  }

  /** Runs Holdfast where users and operators are. */
  Said holdfast(String... words) {
    List<String> line = new ArrayList<>(List.of("env", "HOLDFAST_REMOTE=" + program(), program()));
    line.addAll(List.of(words));
    return cluster.run(PATIENCE, line.toArray(String[]::new));
  }

  void plant(int node) throws IOException {
    Files.createFile(folder.resolve("bad-node" + node));
  }

  void mend(int node) throws IOException {
    Files.delete(folder.resolve("bad-node" + node));
  }

  /** From now on the prolog looks at that node. */
  void prolog(int node) throws IOException {
    Files.createFile(folder.resolve("prolog-node" + node));
  }

  /** From now on the epilog looks at that node. */
  void epilog(int node) throws IOException {
    Files.createFile(folder.resolve("epilog-node" + node));
  }

  /** From now on the health program looks at that node. */
  void look(int node) throws IOException {
    Files.createFile(folder.resolve("health-node" + node));
  }

  void lookAway(int node) throws IOException {
    Files.delete(folder.resolve("health-node" + node));
  }

  /** Submits what {@code slurm template} prints, with these options for it and one for sbatch. */
  String submit(List<String> options, String where, String... program) throws IOException {
    List<String> line = new ArrayList<>(List.of("slurm", "template", "--program=" + program()));
    line.addAll(options);
    line.addAll(List.of(program));
    TestConsole printed = new TestConsole();
    assertThat(printed.run(line.toArray(String[]::new))).as(printed.err()).isZero();
    return cluster.submit(
        printed.out().replace("#SBATCH --exclusive\n", ""),
        "--output=" + folder + "/%j.out",
        "--chdir=" + folder,
        where);
  }

  String output(String job) {
    try {
      Path file = folder.resolve(job + ".out");
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitState(String job, String state) throws InterruptedException {
    cluster.await(
        "job %s to be %s".formatted(job, state),
        PATIENCE,
        () -> cluster.jobState(job).equals(state));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    cluster.close();
  }
}
