package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import dev.holdfast.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks from their start to their end, with real processes. */
@Timeout(180)
class SupervisorIT {
  /** Leaves a process behind that is in a session of its own and belongs to nobody. */
  static String daemon(String pidFile) {
    return "(setsid sh -c 'echo $$ >" + pidFile + "; exec sleep 1000' >/dev/null 2>&1 &); ";
  }

  @TempDir Path folder;

  @Test
  void tellsAnExitCodeFromASignal() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "exit 137", "kill -KILL $$", "exit 0", "kill -SEGV $$; sleep 9");
      List<Event.Exited> ends =
          List.of(stage.exited(0), stage.exited(1), stage.exited(2), stage.exited(3));
      assertThat(ends).extracting(Event.Exited::exitCode).containsExactly(137, -1, 0, -1);
      assertThat(ends).extracting(Event.Exited::signal).containsExactly(0, 9, 0, 11);
      assertThat(ends).extracting(Event.Exited::stoppedByUs).containsOnly(false);
      stage.order(new Order.Finish(7));
      assertThat(stage.exitCode()).isEqualTo(7);
    }
  }

  @Test
  void ranksThatIgnoreTermAreKilledAfterTheGrace() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids =
          stage.start(0, "trap '' TERM; echo up; while :; do sleep 1; done", "sleep 1000");
      Stage.until(() -> folder.resolve("rank0/stdout.log").toFile().length() > 0);
      stage.order(new Order.Stop(0, Duration.ofMillis(700)));
      Event.Stopped stopped = stage.await(Event.Stopped.class, _ -> true);
      assertThat(stopped.left()).isEmpty();
      assertThat(stage.exited(0).signal()).isEqualTo(9);
      assertThat(stage.exited(1).signal()).isEqualTo(15);
      assertThat(stage.exited(0).stoppedByUs()).isTrue();
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  @Test
  void aStoppedRankStillGetsTheChanceToEnd() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, "trap 'exit 5' TERM; echo up; while :; do sleep 0.1; done");
      Stage.until(() -> folder.resolve("rank0/stdout.log").toFile().length() > 0);
      Stage.signal("STOP", pids.getFirst());
      stage.order(new Order.Stop(0, Duration.ofSeconds(60)));
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CGROUP,DEATH_SIGNAL", "DEATH_SIGNAL", ""})
  void whatARankLeftBehindIsEndedWithTheAttempt(String means) throws Exception {
    try (Stage stage = Stage.with(folder).means(means).open()) {
      String first = folder.resolve("daemon").toString();
      String second = folder.resolve("same").toString();
      stage.start(0, daemon(first) + "sleep 1000 & echo $! >" + second + "; sleep 0.5; exit 3");
      long daemon = stage.pid("daemon");
      long sameSession = stage.pid("same");
      assertThat(stage.exited(0).exitCode()).isEqualTo(3);
      assertThat(ProcessState.alive(daemon)).isTrue();
      stage.order(new Order.Stop(0, Duration.ofMillis(100)));
      assertThat(stage.await(Event.Stopped.class, _ -> true).left()).isEmpty();
      assertThat(List.of(daemon, sameSession)).noneMatch(ProcessState::alive);
      stage.start(1, "echo second");
      assertThat(stage.await(Event.Exited.class, it -> it.attempt() == 1).exitCode()).isZero();
      String guarantee = stage.events(Event.Ready.class).getFirst().guarantee();
      switch (means) {
        case "" -> assertThat(guarantee).isEqualTo("scan of descendants only");
        case "DEATH_SIGNAL" ->
            assertThat(guarantee).isEqualTo("parent-death signal and scan of descendants");
        default -> assertThat(guarantee).doesNotContain("only");
      }
    }
  }

  @Test
  void allRanksStartOrNone() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec good = stage.rank(0, "echo $$ >" + folder.resolve("good") + "; sleep 1000");
      RankSpec bad = stage.rank(1, List.of("no-such-program", "x"));
      stage.order(new Order.Start(0, List.of(good, bad)));
      Event.NotStarted refused = stage.await(Event.NotStarted.class, _ -> true);
      assertThat(refused.rank()).isEqualTo(1);
      assertThat(refused.why()).isEqualTo("no-such-program: no such program on the PATH");
      assertThat(stage.events(Event.Started.class)).isEmpty();
      assertThat(stage.events(Event.Exited.class)).isEmpty();
      if (Files.exists(folder.resolve("good"))) {
        Stage.gone(stage.pid("good"));
      }
      stage.start(1, "exit 0");
      assertThat(stage.exited(0).exitCode()).isZero();
    }
  }

  @Test
  void anAttemptDoesNotStartBesideAnotherOne() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "sleep 1000");
      stage.order(new Order.Start(1, List.of(stage.rank(0, "exit 0"))));
      assertThat(stage.await(Event.NotStarted.class, _ -> true).why())
          .isEqualTo("processes of attempt 0 are still there");
      stage.order(new Order.Stop(5, Duration.ZERO));
      assertThat(stage.await(Event.Stopped.class, _ -> true).attempt()).isEqualTo(5);
      assertThat(stage.events(Event.Exited.class)).isEmpty();
    }
  }

  @Test
  void aRankHasItsEnvironmentItsCpusNoInputAndNoDescriptorOfOurs() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      String script =
          "echo $RANK ${FOR_THE_WATCHER-none}; cat; ls /proc/self/fd | wc -l;"
              + " grep Cpus_allowed_list /proc/self/status; grep SigBlk /proc/self/status;"
              + " grep SigIgn /proc/self/status; [ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo leads";
      RankSpec plain = stage.rank(4, script);
      RankSpec bound =
          new RankSpec(
              4, 0, plain.command(), Map.of("RANK", "four ä"), plain.folder(), 3, 0, "", "0");
      stage.order(new Order.Start(0, List.of(bound)));
      assertThat(stage.exited(4).exitCode()).isZero();
      // Three streams and the one through which ls looks.
      assertThat(stage.text("rank4/stdout.log"))
          .isEqualTo(
              "four ä none\n4\nCpus_allowed_list:\t0\nSigBlk:\t0000000000000000\n"
                  + "SigIgn:\t0000000000000000\nleads\n");
      assertThat(stage.text("console")).isEmpty();
    }
  }

  @Test
  void aSignalReachesTheRankAlone() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      String ready = folder.resolve("ready").toString();
      stage.start(
          0,
          "trap 'echo got it; exit 4' USR1; : >" + ready + "; while :; do sleep 0.1; done",
          "sleep 1000");
      Stage.until(() -> Files.exists(folder.resolve("ready")));
      stage.order(new Order.Signal(0, 10));
      assertThat(stage.exited(0).exitCode()).isEqualTo(4);
      assertThat(stage.events(Event.Exited.class)).hasSize(1);
    }
  }

  @Test
  void aProcessNoSignalReachesIsReportedNotWaitedFor() throws Exception {
    Path freezer = Path.of("/sys/fs/cgroup/freezer");
    Tools.require(
        Files.isWritable(freezer.resolve("cgroup.procs")),
        "needs the freezer of cgroups version 1, and root, to make a process no signal reaches");
    Path group = Files.createDirectory(freezer.resolve("holdfast-test-" + folder.getFileName()));
    try (Stage stage = Stage.open(folder)) {
      long pid = stage.start(0, "sleep 1000").getFirst();
      Files.writeString(group.resolve("cgroup.procs"), "" + pid);
      Files.writeString(group.resolve("freezer.state"), "FROZEN");
      stage.order(new Order.Stop(0, Duration.ofMillis(100)));
      assertThat(stage.await(Event.Stopped.class, _ -> true).left()).contains(pid);
      Files.writeString(group.resolve("freezer.state"), "THAWED");
      Stage.gone(pid);
      stage.start(1, "exit 0");
      assertThat(stage.await(Event.Exited.class, it -> it.attempt() == 1).exitCode()).isZero();
      assertThat(stage.events(Event.Exited.class)).hasSize(1);
    } finally {
      Files.writeString(group.resolve("freezer.state"), "THAWED");
      Stage.until(() -> group.toFile().delete() || !Files.exists(group));
    }
  }

  @Test
  void aServiceIsHeardRestartedWatchersIncludedAndEndsWithUs() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.order(
          new Order.StartService(
              "store",
              List.of("sh", "-c", "echo port $PORT $$; cat; echo input over"),
              Map.of("PORT", "1234")));
      String line = stage.await(Event.ServiceLine.class, it -> it.line().startsWith("port")).line();
      long pid = Long.parseLong(line.split(" ")[2]);
      Stage.signal("KILL", -stage.watcher(0));
      Event.Ready ready = stage.await(Event.Ready.class, it -> it.earlier() == 1);
      assertThat(ready.services()).containsExactly("store");
      Stage.until(
          () -> {
            try {
              return stage.events(Event.ServiceLine.class).size() == 2;
            } catch (java.io.IOException problem) {
              throw new java.io.UncheckedIOException(problem);
            }
          });
      stage.order(new Order.StopService("store"));
      assertThat(stage.await(Event.ServiceEnded.class, _ -> true).signal()).isEqualTo(15);
      assertThat(ProcessState.alive(pid)).isFalse();
      stage.order(new Order.StartService("other", List.of("sleep", "1000"), Map.of()));
      stage.order(new Order.StartService("none", List.of("no-such-program"), Map.of()));
      assertThat(stage.await(Event.ServiceEnded.class, it -> it.name().equals("none")).exitCode())
          .isEqualTo(127);
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
    }
  }
}
