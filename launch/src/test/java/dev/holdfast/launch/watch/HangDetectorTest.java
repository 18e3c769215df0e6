package dev.holdfast.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.launch.job.RankActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HangDetectorTest {
  /** A job told by hand: each rank is what its fields say, second by second. */
  private static final class Job {
    final HangDetector detector;
    final List<Rank> ranks = new ArrayList<>();
    long second;

    Job(HangDetector detector, int ranks) {
      this.detector = detector;
      for (int i = 0; i < ranks; i++) {
        this.ranks.add(new Rank(i));
      }
    }

    /** Until a hang is called, or for this long. */
    Optional<Diagnosis> run(int seconds) {
      for (int i = 0; i < seconds; i++) {
        Optional<Diagnosis> verdict = next();
        if (verdict.isPresent()) {
          return verdict;
        }
      }
      return Optional.empty();
    }

    Optional<Diagnosis> next() {
      second++;
      ranks.forEach(Rank::next);
      return detector.look(second * 1_000_000_000L, ranks.stream().map(Rank::activity).toList());
    }

    void allStill() {
      ranks.forEach(rank -> rank.steps = false);
    }
  }

  private static final class Rank {
    final int number;
    boolean steps = true;
    char state = 'R';
    double cores = 1;
    String in = "";
    String key = "";
    String phase = "";
    double cpu;
    long io;
    long ioRate = 100_000;
    long output;
    long step;
    int percent = -1;
    long memory = -1;
    long collective = -1;

    Rank(int number) {
      this.number = number;
    }

    void next() {
      cpu += cores;
      if (steps) {
        step++;
        output += 40;
        io += ioRate;
      }
    }

    void hangs(String place) {
      steps = false;
      cores = 0;
      state = 'S';
      in = place;
    }

    RankActivity activity() {
      return new RankActivity(
              number, 100 + number, state, cpu, io, output, step, step, phase, key, in)
          .with(new DeviceLoad(String.valueOf(number % 4), percent, memory), collective, List.of());
    }
  }

  private static Job job(int ranks) {
    Job job = new Job(new HangDetector(HangRule.AUTO), ranks);
    job.detector.attemptBegins(rank -> "n" + rank / 4);
    return job;
  }

  @Test
  void aRankThatWasStoppedIsNamedWithinSevenSeconds() {
    Job job = job(8);
    assertThat(job.run(100)).isEmpty();
    job.allStill();
    job.ranks.get(5).state = 'T';
    Diagnosis verdict = job.run(7).orElseThrow();
    assertThat(verdict.kind()).isEqualTo(FailureClass.HANG);
    assertThat(verdict.ranks()).containsExactly(5);
    assertThat(verdict.node()).isEqualTo("n1");
    assertThat(verdict.confidence()).isGreaterThan(0.9);
    assertThat(verdict.evidence()).anyMatch(line -> line.contains("state T"));
  }

  @Test
  void aSuspendedJobIsNoHangAndItsTimeDoesNotCount() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    job.ranks.forEach(rank -> rank.state = 'T');
    assertThat(job.run(7200)).isEmpty();
    job.ranks.forEach(rank -> rank.state = 'R');
    assertThat(job.run(600)).isEmpty();
  }

  @Test
  void timeInWhichNobodyLookedDoesNotCount() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    job.run(600);
    job.second += 86_400;
    assertThat(job.run(600)).isEmpty();
  }

  @Test
  void aSleepingRankIsNamedWhileOthersTurnInCircles() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    job.ranks.get(2).hangs("clock_nanosleep");
    Diagnosis verdict = job.run(40).orElseThrow();
    assertThat(verdict.ranks()).containsExactly(2);
    assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.75);
    assertThat(verdict.step()).isEqualTo(100);
    assertThat(String.join("\n", verdict.evidence()))
        .contains("clock_nanosleep", "no output for 31 s", "3 others", "limit 30 s");
  }

  @Test
  void aSleepingRankIsNamedWhileOthersPoll() {
    Job job = job(2);
    job.run(100);
    job.ranks.get(0).hangs("futex");
    job.ranks.get(1).hangs("clock_nanosleep");
    assertThat(job.run(40).orElseThrow().ranks()).containsExactly(1);
  }

  @Test
  void theRankThatDoesNotWaitAtTheStoreIsNamed() {
    Job job = job(4);
    job.run(100);
    for (Rank rank : job.ranks) {
      rank.hangs("futex");
      rank.key = rank.number == 1 ? "" : "barrier/7";
    }
    assertThat(job.run(110)).isEmpty();
    assertThat(job.run(15).orElseThrow().ranks()).containsExactly(1);
  }

  @Test
  void theRankThatIsBehindIsNamed() {
    Job job = job(4);
    job.run(100);
    job.ranks.get(3).hangs("futex");
    job.next();
    job.ranks.forEach(rank -> rank.hangs("futex"));
    assertThat(job.run(110)).isEmpty();
    assertThat(job.run(15).orElseThrow().ranks()).containsExactly(3);
  }

  @Test
  void aRankThatReadsItsOwnPipeWaitsForNobody() {
    Job job = job(4);
    job.run(100);
    job.ranks.forEach(rank -> rank.hangs("recvfrom"));
    job.ranks.get(2).hangs("read(own pipe)");
    assertThat(job.run(40).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void slowStepsGetThreeTimesTheirOwnTime() {
    Job job = job(4);
    for (int step = 0; step < 30; step++) {
      job.ranks.forEach(rank -> rank.steps = true);
      assertThat(job.next()).isEmpty();
      job.allStill();
      assertThat(job.run(59)).isEmpty();
    }
    job.ranks.get(2).hangs("clock_nanosleep");
    assertThat(job.run(120)).isEmpty();
    assertThat(job.run(80).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void aRankStuckInTheKernelGetsTwentyMinutes() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    job.ranks.get(2).hangs("read");
    job.ranks.get(2).state = 'D';
    assertThat(job.run(1190)).isEmpty();
    assertThat(job.run(620).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void aFirstFinisherThatWaitsIsNotBlamed() {
    Job job = job(2);
    for (int i = 0; i < 50; i++) {
      job.ranks.forEach(rank -> rank.cores = 0.5);
      job.next();
    }
    job.allStill();
    job.ranks.get(1).hangs("futex");
    assertThat(job.run(1100)).isEmpty();
  }

  @Test
  void silenceOfAllIsCalledAfterTwentyMinutesAndNobodyIsBlamed() {
    Job job = job(4);
    job.run(100);
    job.ranks.forEach(rank -> rank.hangs("futex"));
    assertThat(job.run(1195)).isEmpty();
    Diagnosis verdict = job.run(20).orElseThrow();
    assertThat(verdict.ranks()).isEmpty();
    assertThat(verdict.confidence()).isLessThanOrEqualTo(0.3);
  }

  @Test
  void aNamedPhaseHasItsOwnLimit() {
    Job job = job(4);
    job.run(100);
    for (int i = 0; i < 5; i++) {
      job.ranks.forEach(rank -> rank.phase = "checkpoint");
      job.allStill();
      assertThat(job.run(60)).isEmpty();
      job.ranks.forEach(rank -> rank.phase = "");
      job.ranks.forEach(rank -> rank.steps = true);
      assertThat(job.run(30)).isEmpty();
    }
    job.ranks.forEach(rank -> rank.phase = "checkpoint");
    job.allStill();
    job.ranks.get(1).hangs("clock_nanosleep");
    assertThat(job.run(170)).isEmpty();
    assertThat(job.run(40).orElseThrow().ranks()).containsExactly(1);
  }

  @Test
  void aPhaseNeverSeenBeforeGetsTwentyMinutes() {
    Job job = job(4);
    job.run(100);
    job.ranks.forEach(rank -> rank.phase = "export");
    job.allStill();
    job.ranks.get(1).hangs("clock_nanosleep");
    assertThat(job.run(1190)).isEmpty();
    assertThat(job.run(20).orElseThrow().ranks()).containsExactly(1);
  }

  @Test
  void whatLookedHungAndWasNotMakesPatient() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    job.ranks.get(2).hangs("clock_nanosleep");
    assertThat(job.run(25)).isEmpty();
    job.ranks.forEach(rank -> rank.steps = true);
    job.ranks.get(2).cores = 1;
    job.ranks.get(2).in = "";
    assertThat(job.run(60)).isEmpty();
    job.allStill();
    job.ranks.get(2).hangs("clock_nanosleep");
    assertThat(job.run(45)).isEmpty();
    assertThat(job.run(15).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void aHangIsToldOnceAndAgainAfterItWentOn() {
    Job job = job(4);
    job.run(100);
    job.ranks.get(1).state = 'T';
    job.allStill();
    assertThat(job.run(10)).isPresent();
    assertThat(job.run(300)).isEmpty();
    job.ranks.forEach(rank -> rank.steps = true);
    job.ranks.get(1).state = 'R';
    assertThat(job.run(10)).isEmpty();
    assertThat(job.detector.takenBack()).isEqualTo(1);
    job.ranks.get(3).state = 'T';
    job.allStill();
    assertThat(job.run(10).orElseThrow().ranks()).containsExactly(3);
  }

  @Test
  void plainModeNamesWhoeverIsQuiet() {
    Job job = new Job(new HangDetector(HangRule.parse("60s")), 4);
    job.run(100);
    job.ranks.get(2).steps = false;
    assertThat(job.run(55)).isEmpty();
    assertThat(job.run(10).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void inPlainModeTheFirstOfRanksThatStoppedTogetherIsNotBlamed() {
    Job job = new Job(new HangDetector(HangRule.parse("60s")), 4);
    job.run(100);
    job.ranks.get(2).hangs("futex");
    job.next();
    for (Rank rank : job.ranks) {
      rank.hangs("futex");
      rank.step = 100;
      rank.collective = rank.number == 3 ? 7 : 8;
    }
    assertThat(job.run(55)).isEmpty();
    assertThat(job.run(10).orElseThrow().ranks()).containsExactly(3);
  }

  @Test
  void offNeverCalls() {
    Job job = new Job(new HangDetector(HangRule.OFF), 2);
    job.run(50);
    job.ranks.get(0).state = 'T';
    assertThat(job.run(5000)).isEmpty();
  }

  @Test
  void whatWasLearnedOutlivesTheDetector() {
    Job first = job(4);
    for (int i = 0; i < 30; i++) {
      first.ranks.forEach(rank -> rank.steps = true);
      first.next();
      first.allStill();
      first.run(59);
    }
    String kept = Json.line(first.detector.state());
    HangDetector second = HangDetector.resume(HangRule.AUTO, Fields.of("state", Json.read(kept)));
    assertThat(Json.line(second.state())).isEqualTo(kept);
    Map<String, ?> state = second.state();
    assertThat(state).containsKey("stepGaps");
    Job job = new Job(second, 4);
    job.run(3);
    job.allStill();
    job.ranks.get(2).hangs("clock_nanosleep");
    assertThat(job.run(170)).isEmpty();
    assertThat(job.run(15)).isPresent();
  }

  @Test
  void aDeviceBusyInACollectiveDoesNotHideASleepingRankForLong() {
    Job job = job(4);
    job.ranks.forEach(rank -> rank.percent = 98);
    job.run(200);
    job.allStill();
    job.ranks.forEach(rank -> rank.percent = 100);
    job.ranks.get(2).hangs("clock_nanosleep");
    assertThat(job.run(290)).isEmpty();
    Diagnosis verdict = job.run(20).orElseThrow();
    assertThat(verdict.ranks()).containsExactly(2);
    assertThat(String.join("\n", verdict.evidence()))
        .contains("rank 2 on n0 (GPU 2)", "device at 100 %", "devices at 100 %");
  }

  @Test
  void aRankWhoseDeviceAloneWorksGetsThirtyMinutes() {
    Job job = job(4);
    job.ranks.forEach(rank -> rank.percent = 98);
    job.run(200);
    for (Rank rank : job.ranks) {
      rank.hangs("futex");
      rank.key = rank.number == 1 ? "" : "barrier/7";
      rank.percent = rank.number == 1 ? 100 : 0;
    }
    assertThat(job.run(1790)).isEmpty();
  }

  /** Neither idle nor turning: cores say nothing of such a job. */
  private static Job jobOnDevices(int percent) {
    Job job = job(4);
    for (Rank rank : job.ranks) {
      rank.cores = 0.2;
    }
    for (int second = 0; second < 300; second++) {
      boolean idle = second % 4 == 0;
      job.ranks.forEach(rank -> rank.percent = idle ? percent : 95);
      job.next();
    }
    job.allStill();
    job.ranks.forEach(rank -> rank.percent = 100);
    job.ranks.get(3).hangs("futex");
    job.ranks.get(3).percent = 0;
    return job;
  }

  @Test
  void aDeviceThatStandsStillAmongBusyOnesNamesItsRank() {
    Job job = jobOnDevices(95);
    assertThat(job.run(290)).isEmpty();
    Diagnosis verdict = job.run(20).orElseThrow();
    assertThat(verdict.ranks()).containsExactly(3);
    assertThat(verdict.confidence()).isBetween(0.4, 0.7);
    assertThat(String.join("\n", verdict.evidence())).contains("its device stands still");
  }

  @Test
  void whereDevicesOftenStandStillThatSaysNothing() {
    assertThat(jobOnDevices(0).run(1190)).isEmpty();
  }

  @Test
  void memoryOfADeviceThatChangesIsASignOfLife() {
    Job job = job(4);
    job.run(100);
    job.allStill();
    Rank loading = job.ranks.get(2);
    loading.hangs("clock_nanosleep");
    loading.percent = 0;
    for (int i = 0; i < 40; i++) {
      loading.memory = (i % 2 + 1L) << 30;
      assertThat(job.run(5)).isEmpty();
    }
    assertThat(job.run(60).orElseThrow().ranks()).containsExactly(2);
  }

  @Test
  void silenceWithBusyDevicesGetsThirtyMinutes() {
    Job job = job(4);
    job.ranks.forEach(rank -> rank.percent = 100);
    job.run(100);
    job.ranks.forEach(rank -> rank.hangs("futex"));
    assertThat(job.run(1790)).isEmpty();
    assertThat(job.run(30).orElseThrow().ranks()).isEmpty();
  }

  @Test
  void afterALongSilenceTheStillDeviceTellsWhoRunsInCircles() {
    Job job = job(4);
    job.ranks.forEach(rank -> rank.percent = 97);
    job.run(100);
    job.allStill();
    job.ranks.forEach(rank -> rank.percent = rank.number == 1 ? 0 : 100);
    assertThat(job.run(1790)).isEmpty();
    assertThat(job.run(30).orElseThrow().ranks()).containsExactly(1);
  }

  @Test
  void theRankThatHasNotBegunTheCollectiveIsNamed() {
    Job job = job(4);
    job.run(100);
    for (Rank rank : job.ranks) {
      rank.hangs("futex");
      rank.collective = rank.number == 1 ? 41 : 42;
    }
    assertThat(job.run(110)).isEmpty();
    Diagnosis verdict = job.run(15).orElseThrow();
    assertThat(verdict.ranks()).containsExactly(1);
    assertThat(String.join("\n", verdict.evidence()))
        .contains("began collective 41", "3 others", "began collective 42", "has not begun");
  }

  @Test
  void rulesAreRead() {
    assertThat(HangRule.parse("auto").limit()).hasSeconds(30);
    assertThat(HangRule.parse("auto:45").limit()).hasSeconds(45);
    assertThat(HangRule.parse("auto:2m").limit()).hasSeconds(120);
    assertThat(HangRule.parse("20m").mode()).isEqualTo(HangRule.Mode.PLAIN);
    assertThat(HangRule.parse("off").mode()).isEqualTo(HangRule.Mode.OFF);
    for (String wrong : List.of("", "auto:", "never", "auto:1", "-3s", "2s")) {
      org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
          .isThrownBy(() -> HangRule.parse(wrong))
          .withMessageContaining("auto:SECONDS");
    }
  }
}
