package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.ProcessState;
import dev.holdfast.testing.Tools;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standbys with real processes: used when they can be, and never missed when they cannot. */
@Timeout(180)
class StandbyIT {
  /** Behaves as Python with our sitecustomize does, then as the rank. */
  private static final String SCRIPT =
      """
      if [ -n "$HOLDFAST_STANDBY" ]; then
        echo early
        printf 'ready\\t1\\n' >&4
        read -r given <&3
        printf 'set\\n' >&4
        read -r word <&3
        [ "$word" = go ] || exit 0
        exec 3<&- 4>&-
        echo "given $given"
      fi
      echo runs
      """;

  @TempDir Path folder;

  private Stage stage(String means) throws Exception {
    return Stage.with(folder).means(means).open();
  }

  private static RankSpec with(RankSpec rank, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(rank.environment());
    environment.putAll(more);
    return new RankSpec(
        rank.rank(),
        rank.localRank(),
        rank.command(),
        environment,
        rank.folder(),
        rank.keep(),
        rank.show(),
        rank.prefix(),
        rank.cpus());
  }

  /** Orders a standby for this rank and does not wait for it. */
  private static void order(Stage stage, RankSpec rank, String setting) throws Exception {
    RankSpec spec = with(rank, Map.of(Standby.VARIABLE, setting));
    stage.order(new Order.Prepare(spec, List.of("RANK")));
  }

  private static long prepare(Stage stage, RankSpec rank) throws Exception {
    order(stage, rank, "1");
    return stage.await(Event.StandbyReady.class, it -> it.localRank() == rank.localRank()).pid();
  }

  private static Event.Started start(Stage stage, int attempt, RankSpec... ranks) throws Exception {
    stage.order(new Order.Start(attempt, List.of(ranks)));
    return stage.await(Event.Started.class, it -> it.attempt() == attempt);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CGROUP,DEATH_SIGNAL", "DEATH_SIGNAL", ""})
  void aStandbyBecomesTheRankAndEndsAsOne(String means) throws Exception {
    try (Stage stage = stage(means)) {
      RankSpec rank = stage.rank(0, SCRIPT + "sleep 1000 & wait");
      long standby = prepare(stage, rank);
      Event.Started started = start(stage, 0, rank);
      assertThat(started.warm()).isTrue();
      assertThat(started.pid()).isEqualTo(standby);
      Stage.until(() -> folder.resolve("rank0/stdout.log").toFile().length() > 20);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("early\ngiven {\"RANK\":\"0\"}\nruns\n");
      stage.order(new Order.Stop(0, Duration.ofMillis(500)));
      assertThat(stage.await(Event.Stopped.class, _ -> true).left()).isEmpty();
      assertThat(stage.exited(0).signal()).isEqualTo(15);
      assertThat(ProcessState.alive(standby)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CGROUP,DEATH_SIGNAL", ""})
  void theEndOfAnAttemptLeavesStandbysAlone(String means) throws Exception {
    try (Stage stage = stage(means)) {
      RankSpec rank = stage.rank(0, SCRIPT + "exit 5");
      RankSpec first = stage.rank(0, "sleep 1000");
      assertThat(start(stage, 0, first).warm()).isFalse();
      long standby = prepare(stage, rank);
      stage.order(new Order.Stop(0, Duration.ofMillis(300)));
      stage.await(Event.Stopped.class, _ -> true);
      assertThat(ProcessState.alive(standby)).isTrue();
      assertThat(start(stage, 1, rank).pid()).isEqualTo(standby);
      Event.Exited exited = stage.await(Event.Exited.class, it -> it.attempt() == 1);
      assertThat(exited.exitCode()).isEqualTo(5);
      assertThat(exited.stoppedByUs()).isFalse();
    }
  }

  @Test
  void oneThatDiedIsNotMissed() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT + "exit 5");
      Stage.signal("KILL", prepare(stage, rank));
      Event.StandbyLost lost = stage.await(Event.StandbyLost.class, _ -> true);
      assertThat(lost.why()).isEqualTo("was ended by signal 9");
      assertThat(start(stage, 0, rank).warm()).isFalse();
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("runs\n");
    }
  }

  @Test
  void oneThatIsStoppedIsNotWaitedFor() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT + "exit 5");
      long standby = prepare(stage, rank);
      Stage.signal("STOP", standby);
      Stage.until(() -> ProcessState.of(standby) == 'T');
      assertThat(start(stage, 0, rank).warm()).isFalse();
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
      Stage.gone(standby);
    }
  }

  @Test
  void oneThatDoesNotAnswerIsGivenUpAfterASecond() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      String deaf =
          "if [ -n \"$HOLDFAST_STANDBY\" ]; then printf 'ready\\t1\\n' >&4; exec sleep 1000; fi;";
      RankSpec rank = stage.rank(0, deaf + "echo runs; exit 5");
      RankSpec other = stage.rank(1, SCRIPT + "exit 6");
      long standby = prepare(stage, rank);
      long answers = prepare(stage, other);
      long begin = System.nanoTime();
      stage.order(new Order.Start(0, List.of(rank, other)));
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(900), Duration.ofSeconds(30));
      assertThat(stage.exited(1).exitCode()).isEqualTo(6);
      List<Event.Started> started = stage.events(Event.Started.class);
      assertThat(started).extracting(Event.Started::warm).containsExactly(false, true);
      assertThat(started.getLast().pid()).isEqualTo(answers);
      assertThat(stage.events(Event.StandbyLost.class))
          .containsExactly(new Event.StandbyLost(0, "", "did not answer within a second"));
      Stage.gone(standby);
    }
  }

  @Test
  void oneThatIsNotReadyIsEndedWhenTheAttemptBegins() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      String pid = folder.resolve("slow").toString();
      String slow =
          "if [ -n \"$HOLDFAST_STANDBY\" ]; then echo $$ >%s; exec sleep 1000; fi; exit 5";
      RankSpec rank = stage.rank(0, slow.formatted(pid));
      order(stage, rank, "1");
      long standby = stage.pid("slow");
      assertThat(start(stage, 0, rank).warm()).isFalse();
      assertThat(stage.exited(0).exitCode()).isEqualTo(5);
      Stage.gone(standby);
      assertThat(stage.events(Event.StandbyLost.class)).isEmpty();
    }
  }

  @Test
  void oneThatSawAnotherEnvironmentIsNotUsed() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT + "exit 5");
      long standby = prepare(stage, with(rank, Map.of("COLOUR", "green")));
      RankSpec changed = with(rank, Map.of("COLOUR", "red"));
      assertThat(start(stage, 0, changed).warm()).isFalse();
      assertThat(stage.await(Event.StandbyLost.class, _ -> true).why()).contains("not be used");
      Stage.gone(standby);
    }
  }

  @Test
  void thereIsOneForAPlaceHoweverOftenItIsOrdered() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT);
      long standby = prepare(stage, rank);
      order(stage, rank, "1");
      Stage.until(() -> count(stage) == 2);
      Stage.signal("KILL", stage.watcher(0));
      // A new watcher is told of those that wait.
      Stage.until(() -> count(stage) == 3);
      assertThat(stage.events(Event.StandbyReady.class))
          .extracting(Event.StandbyReady::pid)
          .containsOnly(standby);
    }
  }

  private static int count(Stage stage) {
    try {
      return stage.events(Event.StandbyReady.class).size();
    } catch (java.io.IOException unreadable) {
      return 0;
    }
  }

  @Test
  void aWarmRankDiesWithTheAttemptThatCannotStart() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT + "sleep 1000");
      long standby = prepare(stage, rank);
      stage.order(new Order.Start(0, List.of(rank, stage.rank(1, List.of("no-such-program")))));
      assertThat(stage.await(Event.NotStarted.class, _ -> true).rank()).isEqualTo(1);
      Stage.gone(standby);
    }
  }

  @Test
  void noneIsLeftWhenTheyAreDismissedOrTheJobEnds() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank = stage.rank(0, SCRIPT);
      long first = prepare(stage, rank);
      stage.order(new Order.Dismiss());
      Stage.gone(first);
      order(stage, rank, "1");
      long second = stage.await(Event.StandbyReady.class, it -> it.pid() != first).pid();
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
      assertThat(ProcessState.alive(second)).isFalse();
      assertThat(stage.events(Event.StandbyLost.class)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEATH_SIGNAL", ""})
  void noneIsLeftWhenTheSupervisorIsKilled(String means) throws Exception {
    try (Stage stage = stage(means)) {
      long standby = prepare(stage, stage.rank(0, SCRIPT));
      stage.supervisor.destroyForcibly().waitFor();
      Stage.gone(standby);
    }
  }

  @Test
  void pythonWaitsBeforeTheProgramAndThenRunsIt() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    Tools.require(Files.isExecutable(python), "needs Python (apt-get install python3)");
    Path program = folder.resolve("train.py");
    Files.writeString(
        program,
        """
        import sys
        print("uuid" in sys.modules)
        import os, uuid
        print(os.environ["RANK"], os.environ["NAME"], os.getpid())
        sys.exit(4)
        """);
    Path modules = folder.resolve("modules.txt");
    String uuid = "import uuid; print(uuid.__file__)";
    Process where = new ProcessBuilder(python.toString(), "-c", uuid).start();
    String origin =
        new String(where.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    Files.writeString(modules, "uuid\t" + origin + "\n");
    String setting =
        Json.line(
            Json.map("modules", modules.toString(), "names", List.of("RANK"), "leave", List.of()));
    String shim = Path.of("../python/sitecustomize").toRealPath().toString();
    try (Stage stage = Stage.open(folder)) {
      RankSpec rank =
          with(
              stage.rank(0, List.of(python.toString(), "-u", program.toString())),
              Map.of("PYTHONPATH", shim, "NAME", "Zoë"));
      order(stage, rank, setting);
      Event.StandbyReady ready = stage.await(Event.StandbyReady.class, _ -> true);
      assertThat(folder.resolve("rank0/stdout.log")).doesNotExist();
      assertThat(start(stage, 0, rank).warm()).isTrue();
      assertThat(stage.exited(0).exitCode()).isEqualTo(4);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("True\n0 Zoë " + ready.pid() + "\n");
    }
  }
}
