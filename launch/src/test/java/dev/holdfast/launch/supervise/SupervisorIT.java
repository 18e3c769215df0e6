package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks from their start to their end, with real processes. */
@Timeout(180)
class SupervisorIT {
  @TempDir Path folder;

  @Test
  void tellsAnExitCodeFromASignal() throws Exception {
    try (Stage stage = Stage.open(folder)) {
      stage.start(0, "exit 137", "kill -KILL $$", "exit 0", "kill -SEGV $$; sleep 9");
      List<Event.Exited> ends =
          List.of(exited(stage, 0), exited(stage, 1), exited(stage, 2), exited(stage, 3));
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
      List<Long> pids = stage.start(0, "trap '' TERM; while :; do sleep 1; done", "sleep 1000");
      stage.order(new Order.Stop(0, Duration.ofMillis(700)));
      Event.Stopped stopped = stage.await(Event.Stopped.class, _ -> true);
      assertThat(stopped.left()).isEmpty();
      assertThat(exited(stage, 0).signal()).isEqualTo(9);
      assertThat(exited(stage, 1).signal()).isEqualTo(15);
      assertThat(exited(stage, 0).stoppedByUs()).isTrue();
      assertThat(pids).noneMatch(ProcessState::alive);
    }
  }

  private static Event.Exited exited(Stage stage, int rank) throws Exception {
    return stage.await(Event.Exited.class, it -> it.rank() == rank);
  }
}
