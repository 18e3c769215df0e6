package dev.holdfast.control.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.core.slurm.Parsed;
import dev.holdfast.core.slurm.SlurmJob;
import dev.holdfast.core.slurm.SlurmNode;
import dev.holdfast.testing.Tools;
import dev.holdfast.testing.slurm.SlurmCluster;
import dev.holdfast.testing.slurm.SlurmPlan;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real slurmrestd says the same as Slurm's programs, and is done without when it is gone. */
@Timeout(180)
class SlurmRestIT {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final List<Path> PLUGINS =
      Stream.of("x86_64", "aarch64")
          .map(it -> Path.of("/usr/lib", it + "-linux-gnu", "slurm-wlm/auth_jwt.so"))
          .toList();

  private static SlurmSettings settings(SlurmCluster cluster, String place) {
    return settings(cluster, SlurmSettings.Rest.at(place, Optional.empty()));
  }

  private static SlurmSettings settings(SlurmCluster cluster, SlurmSettings.Rest rest) {
    return new SlurmSettings(
        Duration.ofSeconds(1), DEADLINE, "", false, false, rest, cluster.environment());
  }

  @Test
  void slurmrestdSaysTheSameAsThePrograms() throws Exception {
    try (SlurmCluster cluster = SlurmPlan.of(3).gpus(2).start()) {
      String array =
          cluster.submit("sleep 1000", "--array=1-3%1", "--nodelist=node1", "--output=/dev/null");
      String job = cluster.submit("sleep 1000", "--nodes=2", "--ntasks=4", "--output=/dev/null");
      cluster.submit("sleep 1000", "--nodes=3", "--exclusive", "--output=/dev/null");
      cluster
          .run("scontrol", "update", "nodename=node3", "state=drain", "reason=fan [see a=1]")
          .orFail();
      cluster.run("scontrol", "update", "nodename=node1", "comment=health 87").orFail();
      cluster.await(
          "the jobs",
          () ->
              cluster.jobState(job).equals("RUNNING")
                  && cluster.run("squeue", "-h", "-t", "R", "-j", array).output().contains("_1"));
      SlurmSettings settings = settings(cluster, "unix:" + cluster.startRest());
      CommandReader commands = new CommandReader(new SlurmPrograms(settings));
      RestReader rest = new RestReader(settings);

      assertThat(commands.node("node9")).as("not there, in Slurm's own words").isEmpty();
      assertThat(commands.job(99_999)).isEmpty();
      assertThat(commands.reservation("holdfast-verify-node1")).isEmpty();
      assertThat(commands.node("node1")).isPresent();

      Parsed<SlurmNode> nodes = rest.nodes("holdfast");
      assertThat(rest.name()).isEqualTo("slurmrestd v0.0.38");
      assertThat(nodes.items()).isEqualTo(commands.nodes().items());
      assertThat(nodes.items()).hasSize(3);
      Parsed<SlurmJob> jobs = rest.jobs();
      assertThat(jobs.whole()).as(jobs.firstBroken()).isTrue();
      assertThat(sorted(jobs)).isEqualTo(sorted(commands.jobs()));
      assertThat(sorted(jobs)).hasSize(4);

      Later clock = new Later();
      SlurmLooks looks = new SlurmLooks(commands, Optional.of(rest), clock);
      assertThat(looks.look("holdfast").by()).isEqualTo("slurmrestd v0.0.38");
      cluster.killRest();
      SlurmLooks.Look without = looks.look("holdfast");
      assertThat(without.by()).isEqualTo("programs");
      assertThat(without.restProblem()).startsWith("slurmrestd: ");
      assertThat(without.nodes().items()).isEqualTo(nodes.items());
      cluster.startRest();
      long calls = looks.calls();
      assertThat(looks.look("holdfast").by()).as("left alone for a while").isEqualTo("programs");
      assertThat(looks.calls()).isEqualTo(calls);
      clock.now = clock.now.plus(Duration.ofMinutes(2));
      assertThat(looks.look("holdfast").by()).isEqualTo("slurmrestd v0.0.38");
      assertThatThrownBy(() -> new RestReader(settings(cluster, "unix:/nowhere")).nodes("holdfast"))
          .isInstanceOf(SlurmAway.class)
          .hasMessageStartingWith("slurmrestd: ");
    }
  }

  @Test
  void overTcpWhoeverHasATokenIsAnswered(@TempDir Path folder) throws Exception {
    Tools.require(
        PLUGINS.stream().anyMatch(Files::exists),
        "needs Slurm's tokens (apt-get install slurm-wlm-jwt-plugin)");
    Path key = Files.write(folder.resolve("key"), SecureRandom.getSeed(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    try (SlurmCluster cluster =
        SlurmPlan.of(2)
            .set("AuthAltTypes", "auth/jwt")
            .set("AuthAltParameters", "jwt_key=" + key)
            .start()) {
      InetSocketAddress place = cluster.startRestForTokens();
      Path token = folder.resolve("token");
      SlurmSettings settings =
          settings(
              cluster,
              SlurmSettings.Rest.at("http://127.0.0.1:" + place.getPort(), Optional.of(token)));
      CommandReader commands = new CommandReader(new SlurmPrograms(settings));
      RestReader rest = new RestReader(settings);

      assertThatThrownBy(() -> rest.nodes("holdfast")).hasMessage("cannot read " + token);
      Files.writeString(token, "");
      assertThatThrownBy(() -> rest.nodes("holdfast"))
          .isInstanceOf(SlurmAway.class)
          .hasMessageStartingWith("slurmrestd answers 401");
      Files.writeString(token, cluster.run("scontrol", "token", "lifespan=600").orFail());
      assertThat(rest.nodes("holdfast").items()).isEqualTo(commands.nodes().items()).hasSize(2);
      assertThat(rest.name()).isEqualTo("slurmrestd v0.0.38");
      assertThat(rest.jobs().items()).isEmpty();

      // Replaced by one that does not hold: said, and the programs are asked instead.
      Files.writeString(token, Files.readString(token).strip() + "x");
      SlurmLooks looks = new SlurmLooks(commands, Optional.of(rest), new Later());
      SlurmLooks.Look look = looks.look("holdfast");
      assertThat(look.by()).isEqualTo("programs");
      assertThat(look.restProblem()).startsWith("slurmrestd");
      assertThat(look.nodes().items()).hasSize(2);
    }
  }

  /** All but what the two say in words of their own: why a job waits, which tasks still do. */
  private static List<String> sorted(Parsed<SlurmJob> jobs) {
    return jobs.items().stream()
        .sorted(Comparator.comparingLong(SlurmJob::id))
        .map(
            it ->
                "%d %s %s %s restarts=%d requeue=%b tasks=%d %s %s"
                    .formatted(
                        it.id(),
                        it.single() ? it.handle() : "several",
                        it.user(),
                        it.state(),
                        it.restarts(),
                        it.requeue(),
                        it.tasks(),
                        it.nodes(),
                        it.submitted()))
        .toList();
  }

  private static final class Later extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }
}
