package dev.holdfast.launch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Binding;
import dev.holdfast.launch.job.EndPlan;
import dev.holdfast.launch.job.Here;
import dev.holdfast.launch.job.JobSpec;
import dev.holdfast.launch.job.Member;
import dev.holdfast.launch.job.OnHang;
import dev.holdfast.launch.job.OutputPlan;
import dev.holdfast.launch.job.PortRange;
import dev.holdfast.launch.job.Program;
import dev.holdfast.launch.job.StreamChoice;
import dev.holdfast.launch.job.Team;
import dev.holdfast.launch.job.WatchPlan;
import dev.holdfast.launch.plan.RankSpecs;
import dev.holdfast.launch.plan.StandbySpecs;
import dev.holdfast.launch.report.Timeline;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.Order;
import dev.holdfast.os.process.MemoryRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmStandbysTest {
  private static final long GIB = 1L << 30;

  @TempDir Path folder;

  private final List<Order> orders = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private MemoryRoom room = new MemoryRoom(100 * GIB, 80 * GIB);
  private JobSpec spec;
  private Timeline timeline;
  private WarmStandbys warm;

  @BeforeEach
  void begin() throws IOException {
    spec =
        new JobSpec(
            "job",
            "job",
            new Team(1, 1, 0, List.of(), List.of("n1"), "n1", 29400, true),
            new Here("n1", 0, "", 2, "local", List.of(), Binding.none()),
            new Program(List.of("python3", "train.py"), true, "default", false, Map.of()),
            new OutputPlan(folder.toString(), StreamChoice.BOTH, StreamChoice.BOTH, List.of(), ""),
            new WatchPlan("auto", OnHang.DUMP, "", "", "", ""),
            new EndPlan(3, Duration.ofSeconds(30), List.of(), false, true),
            PortRange.DEFAULT);
    timeline = Timeline.open(folder.resolve("timeline.log"));
    RunLog log = new RunLog(timeline, said::add);
    warm = new WarmStandbys(spec, log, orders::add, () -> room, _ -> GIB);
    attempt(0, 0);
  }

  @AfterEach
  void end() throws IOException {
    timeline.close();
  }

  private void attempt(int number, int seconds) {
    Assignment given =
        new Assignment(
            "job",
            number,
            number,
            List.of(new Member("n1", 1, "127.0.0.1", 29400, 2, 0)),
            "n1",
            29500);
    warm.attemptBegins(given, RankSpecs.of(spec, given, Map.of(), Path.of("/shim")), at(seconds));
  }

  private static long at(double seconds) {
    return (long) (seconds * 1e9);
  }

  /** A rank of this attempt imports one more. */
  private void imports(int attempt) throws IOException {
    Path file = StandbySpecs.learned(spec, attempt);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "torch\t/x\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void look(int from, int to) {
    for (int second = from; second <= to; second++) {
      warm.look(at(second));
    }
  }

  private List<Integer> ordered() {
    return orders.stream()
        .filter(Order.Prepare.class::isInstance)
        .map(order -> ((Order.Prepare) order).spec().localRank())
        .toList();
  }

  private String lastSetting() {
    Order.Prepare last = (Order.Prepare) orders.getLast();
    return last.spec().environment().getOrDefault("HOLDFAST_STANDBY", "");
  }

  @Test
  void theyComeOneAfterTheOtherWhenTheRanksHaveStoppedImporting() throws IOException {
    imports(0);
    look(1, 4);
    imports(0);
    look(5, 9);
    assertThat(orders).isEmpty();
    look(10, 20);
    assertThat(ordered()).containsExactly(0);
    warm.ready(new Event.StandbyReady(0, 11));
    look(21, 25);
    assertThat(ordered()).containsExactly(0, 1);
    warm.ready(new Event.StandbyReady(1, 12));
    look(26, 30);
    assertThat(ordered()).containsExactly(0, 1);
    assertThat(said).containsExactly("2 standbys are ready, 2 GiB in memory");
  }

  @Test
  void whoImportsForEverIsNotWaitedForLongerThanAMinute() throws IOException {
    for (int second = 1; second < 60; second++) {
      imports(0);
      warm.look(at(second));
    }
    assertThat(orders).isEmpty();
    imports(0);
    warm.look(at(60));
    assertThat(ordered()).containsExactly(0);
  }

  @Test
  void afterARestartTheyAreOrderedAgainWithWhatWasLearnedFirst() throws IOException {
    imports(0);
    imports(0);
    look(1, 10);
    warm.ready(new Event.StandbyReady(0, 11));
    attempt(1, 20);
    imports(1);
    look(20, 24);
    assertThat(ordered()).containsExactly(0);
    look(25, 30);
    assertThat(ordered()).containsExactly(0, 0);
    assertThat(lastSetting()).contains("attempt_0/0/modules.txt");
  }

  @Test
  void onesThatAnEarlierWatcherOrderedAreKnown() throws IOException {
    imports(0);
    warm.ready(new Event.StandbyReady(0, 11));
    warm.ready(new Event.StandbyReady(1, 12));
    look(1, 20);
    assertThat(orders).isEmpty();
  }

  @Test
  void aModuleThatIsUnfitIsLeftOutByTheNext() throws IOException {
    imports(0);
    look(1, 6);
    warm.lost(new Event.StandbyLost(0, "lightning", "reads RANK (in lightning.rank)"));
    look(7, 8);
    assertThat(ordered()).containsExactly(0, 0);
    assertThat(lastSetting()).contains("\"leave\":[\"lightning\"]");
    assertThat(said)
        .containsExactly(
            "a standby cannot import lightning: it reads RANK (in lightning.rank); the next one"
                + " leaves it out");
  }

  @Test
  void afterTooManyTroublesThereAreNone() throws IOException {
    imports(0);
    for (int second = 1; second < 100; second++) {
      warm.look(at(second));
      if (!orders.isEmpty() && orders.getLast() instanceof Order.Prepare) {
        warm.lost(new Event.StandbyLost(0, "", "exited with 1"));
      }
    }
    assertThat(ordered()).hasSize(16);
    assertThat(orders.getLast()).isEqualTo(new Order.Dismiss());
    assertThat(said.getLast())
        .isEqualTo("no standbys for the rest of this run: a standby exited with 1");
    attempt(1, 100);
    look(100, 200);
    assertThat(ordered()).hasSize(16);
  }

  @Test
  void noneIsStartedWhereMemoryIsShort() throws IOException {
    imports(0);
    room = new MemoryRoom(100 * GIB, 20 * GIB);
    look(1, 20);
    assertThat(orders).isEmpty();
    assertThat(said).containsExactly("memory is short: 0 of 2 ranks have a standby");
    room = new MemoryRoom(100 * GIB, 50 * GIB);
    look(21, 22);
    assertThat(ordered()).containsExactly(0);
  }

  @Test
  void togetherTheyTakeAQuarterAtMost() throws IOException {
    imports(0);
    room = new MemoryRoom(6 * GIB, 5 * GIB);
    look(1, 6);
    warm.ready(new Event.StandbyReady(0, 11));
    look(7, 20);
    assertThat(ordered()).containsExactly(0);
  }

  @Test
  void theyAreEndedWhenMemoryRunsOut() throws IOException {
    imports(0);
    look(1, 6);
    warm.ready(new Event.StandbyReady(0, 11));
    room = new MemoryRoom(100 * GIB, 9 * GIB);
    look(7, 20);
    assertThat(orders.getLast()).isEqualTo(new Order.Dismiss());
    assertThat(said).containsExactly("memory is very short: the standbys are ended");
  }

  @Test
  void aPythonThatDoesNotLearnIsToldOnce() {
    look(1, 100);
    assertThat(orders).isEmpty();
    assertThat(said)
        .containsExactly("no standbys: this Python does not run the launcher's sitecustomize");
  }
}
