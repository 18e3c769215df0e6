package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How everything ends when it is asked from outside, killed, stopped or left without a lease. */
@Timeout(180)
class EndingIT {
  private static final String STUBBORN = "trap '' TERM INT HUP; while :; do sleep 0.2; done";

  @TempDir Path folder;

  @Test
  void askedFromOutsideTheWatcherDecides() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "sleep 1000");
      stage.supervisor.destroy();
      assertThat(stage.await(Event.Asked.class, _ -> true).signal()).isEqualTo(15);
      stage.order(new Order.Stop(0, Duration.ofSeconds(10)));
      stage.await(Event.Stopped.class, _ -> true);
      stage.order(new Order.Finish(77));
      assertThat(stage.exitCode()).isEqualTo(77);
    }
  }

  @Test
  void aSilentWatcherDoesNotKeepTheRanksFromEndingInTime() throws Exception {
    try (Stage stage = Stage.with(folder).grace(Duration.ofSeconds(4)).open()) {
      List<Long> pids =
          stage.start(0, "trap 'echo bye; exit 0' TERM; while :; do sleep 0.1; done", STUBBORN);
      long start = System.nanoTime();
      stage.supervisor.destroy();
      assertThat(stage.exitCode()).isEqualTo(143);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThan(Duration.ofMillis(1900));
      assertThat(pids).noneMatch(ProcessState::alive);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("bye\n");
      assertThat(stage.exited(1).signal()).isEqualTo(9);
    }
  }

  @Test
  void askedTwiceAllAreKilledAtOnce() throws Exception {
    try (Stage stage = Stage.with(folder).grace(Duration.ofHours(1)).open()) {
      List<Long> pids = stage.start(0, STUBBORN, STUBBORN);
      Stage.signal("INT", stage.supervisor.pid());
      assertThat(stage.await(Event.Asked.class, _ -> true).signal()).isEqualTo(2);
      Thread.sleep(400);
      stage.supervisor.destroy();
      assertThat(stage.exitCode()).isEqualTo(130);
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CGROUP,DEATH_SIGNAL", "DEATH_SIGNAL", ""})
  void killedNobodyIsLeft(String means) throws Exception {
    try (Stage stage = Stage.with(folder).means(means).realWatcher().open()) {
      assertThat(stage.text("first")).isEqualTo("{\"hello\":1}\n");
      List<Long> pids =
          stage.start(
              0,
              SupervisorIT.daemon(folder.resolve("daemon").toString()) + "sleep 1000",
              "sleep 1000 & echo $! >" + folder.resolve("child") + "; " + STUBBORN);
      stage.order(new Order.StartService("store", List.of("sleep", "1000"), java.util.Map.of()));
      List<Long> all =
          Stream.concat(pids.stream(), Stream.of(stage.pid("daemon"), stage.pid("child"))).toList();
      assertThat(all).allMatch(ProcessState::alive);
      stage.supervisor.destroyForcibly().waitFor();
      for (long pid : all) {
        Stage.gone(pid);
      }
      Stage.gone(stage.watcher(0));
      assertThat(stage.text("remains")).isEqualTo("the supervisor is gone []\n");
    }
  }

  private static Order leaseFor(Duration validity) {
    return new Order.Lease(System.nanoTime() + validity.toNanos());
  }

  @Test
  void withoutARenewedLeaseTheRanksAreKilled() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.order(leaseFor(Duration.ofSeconds(20)));
      List<Long> pids = stage.start(0, STUBBORN);
      stage.order(leaseFor(Duration.ofMillis(300)));
      assertThat(stage.await(Event.LeaseLost.class, _ -> true).attempt()).isZero();
      stage.await(Event.Stopped.class, _ -> true);
      assertThat(pids).noneMatch(ProcessState::alive);
      assertThat(stage.exited(0).signal()).isEqualTo(9);
      assertThat(stage.exited(0).stoppedByUs()).isTrue();
    }
  }

  @Test
  void stoppedBeyondItsLeaseItKillsTheMomentItGoesOn() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, STUBBORN);
      stage.order(leaseFor(Duration.ofSeconds(3)));
      Thread.sleep(500);
      Stage.signal("STOP", stage.supervisor.pid());
      Thread.sleep(3000);
      assertThat(pids).allMatch(ProcessState::alive);
      // Too late: it was written after the lease had run out.
      stage.order(leaseFor(Duration.ofHours(1)));
      Thread.sleep(200);
      Stage.signal("CONT", stage.supervisor.pid());
      stage.await(Event.LeaseLost.class, _ -> true);
      stage.await(Event.Stopped.class, _ -> true);
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  @Test
  void asTheFirstProcessItCollectsOrphans() throws Exception {
    Path unshare = Tools.require("unshare", "util-linux");
    String[] through = {unshare.toString(), "--pid", "--fork", "--mount-proc", "--kill-child"};
    List<String> probe = Stream.concat(Stream.of(through), Stream.of("true")).toList();
    Tools.require(
        new ProcessBuilder(probe).start().waitFor() == 0,
        "needs the right to make a PID namespace");
    try (Stage stage = Stage.with(folder).through(through).open()) {
      // Forty orphans that die at once, then a look at who is a zombie.
      String orphans = "for i in $(seq 40); do (sh -c 'sleep 0.05 &' &); done; sleep 1;";
      stage.start(0, orphans + " grep -l '^State:.Z' /proc/[0-9]*/status | wc -l; exit 9");
      assertThat(stage.exited(0).exitCode()).isEqualTo(9);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("0\n");
      stage.order(new Order.Finish(6));
      assertThat(stage.exitCode()).isEqualTo(6);
    }
  }

  @Test
  void aParentDeathSignalDoesNotComeWhileTheSupervisorLives() throws Exception {
    long seconds = Long.getLong("holdfast.idle.seconds", 3);
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, "sleep 100000", "sleep 100000");
      Thread.sleep(seconds * 1000);
      assertThat(pids).allMatch(ProcessState::alive);
      assertThat(stage.events(Event.Exited.class)).isEmpty();
      assertThat(Files.readString(folder.resolve("errors"))).isEmpty();
    }
  }
}
