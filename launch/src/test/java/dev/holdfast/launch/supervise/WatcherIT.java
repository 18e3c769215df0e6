package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The process beside the supervisor may do what it likes: the ranks do not notice. */
@Timeout(180)
class WatcherIT {
  @TempDir Path folder;

  @Test
  void killedThreeTimesItComesBackAndKnowsTheRanks() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, "sleep 1000", "sleep 1000", "exit 12");
      Event.Exited ended = stage.exited(2);
      for (int life = 0; life < 3; life++) {
        Stage.signal("KILL", -stage.watcher(life));
        int earlier = life + 1;
        Event.Ready ready = stage.await(Event.Ready.class, it -> it.earlier() == earlier);
        assertThat(ready.attempt()).isZero();
        assertThat(ready.ranks())
            .containsExactly(
                new Event.RankState(0, pids.get(0), false, -1, 0, false, 0),
                new Event.RankState(1, pids.get(1), false, -1, 0, false, 0),
                new Event.RankState(2, pids.get(2), true, 12, 0, false, ended.atMillis()));
        assertThat(ready.kept()).isEqualTo(life == 0 ? Map.of() : Map.of("x", List.of("" + life)));
        stage.watcher(earlier);
        stage.order(new Order.Keep("x", List.of("" + earlier)));
        // Answered at once, as there is no such attempt: then what came before was taken too.
        stage.order(new Order.Stop(100 + life, Duration.ZERO));
        int answered = 100 + life;
        stage.await(Event.Stopped.class, it -> it.attempt() == answered);
      }
      assertThat(pids.subList(0, 2)).allMatch(ProcessState::alive);
      stage.watcher(3);
      stage.order(new Order.Finish(0));
      assertThat(stage.exitCode()).isZero();
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  @Test
  void whatIsNoOrderEndsTheWatcherNotTheRanks() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids = stage.start(0, "sleep 1000");
      stage.watcher(0);
      stage.raw("Exception in thread main");
      stage.await(Event.Ready.class, it -> it.earlier() == 1);
      assertThat(pids).allMatch(ProcessState::alive);
      assertThat(stage.text("errors"))
          .contains("no order and is started again: not an order: ")
          .contains("Exception in thread main");
    }
  }

  @Test
  void withoutAWatcherTheRanksGoOnToTheirEnd() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "while [ ! -e " + folder.resolve("go") + " ]; do sleep 0.1; done; exit 0");
      exhaust(stage);
      assertThat(stage.supervisor.isAlive()).isTrue();
      java.nio.file.Files.createFile(folder.resolve("go"));
      assertThat(stage.exitCode()).isZero();
    }
  }

  @Test
  void withoutAWatcherAFailureEndsAll() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      List<Long> pids =
          stage.start(
              0,
              "while [ ! -e " + folder.resolve("go") + " ]; do sleep 0.1; done; exit 3",
              "sleep 1000");
      exhaust(stage);
      java.nio.file.Files.createFile(folder.resolve("go"));
      assertThat(stage.exitCode()).isEqualTo(1);
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  @Test
  void withoutAWatcherASignalFromOutsideReachesTheRanksAtOnce() throws Exception {
    try (Stage stage = Stage.with(folder).grace(Duration.ofHours(1)).open()) {
      stage.start(0, "trap 'echo bye; exit 0' TERM; while :; do sleep 0.1; done");
      exhaust(stage);
      stage.supervisor.destroy();
      assertThat(stage.exitCode()).isEqualTo(143);
      assertThat(stage.text("rank0/stdout.log")).isEqualTo("bye\n");
    }
  }

  @Test
  void aWatcherThatNeverLivesIsSaidSo() throws Exception {
    try (Stage stage = Stage.with(folder).watcher(List.of("/bin/false")).start()) {
      assertThat(stage.exitCode()).isEqualTo(3);
      assertThat(stage.text("errors")).contains("the watcher exited with 1 too often");
    }
  }

  /** Kills every watcher until there is no further. */
  private static void exhaust(Stage stage) throws Exception {
    for (int life = 0; life <= 5; life++) {
      Stage.signal("KILL", -stage.watcher(life));
    }
    Stage.until(
        () -> {
          try {
            return stage.text("errors").contains("unwatched");
          } catch (java.io.IOException problem) {
            throw new java.io.UncheckedIOException(problem);
          }
        });
  }
}
