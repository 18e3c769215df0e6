package dev.holdfast.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.ActiveCheck;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Level;
import dev.holdfast.doctor.report.Report;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.doctor.site.SiteOverride;
import dev.holdfast.doctor.testing.TestNode;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 1, 1);

  /** A check that does what the test says. */
  private record Scripted(CheckInfo info, Consumer<Examination> answer) implements Check {
    static Scripted of(String id, Consumer<Examination> answer) {
      return new Scripted(description(id), answer);
    }

    @Override
    public void run(Examination exam) {
      answer.accept(exam);
    }
  }

  private static CheckInfo description(String id) {
    return CheckInfo.of(id, "Is it so?", FaultClass.UNKNOWN, Proof.RECORDED)
        .reads("nothing")
        .meaning("It matters.")
        .remedy("Mend it.");
  }

  private static Report examine(Site site, Level level, Check... checks) {
    return new Doctor(List.of(checks), site, Duration.ofMillis(300), Duration.ofSeconds(2))
        .examine(new TestNode().node(), level)
        .report();
  }

  @Test
  void aCheckThatHangsIsSkippedAndTheOthersStillAnswer() {
    CountDownLatch never = new CountDownLatch(1);
    Report report =
        examine(
            Site.none(TODAY),
            Level.PASSIVE,
            Scripted.of("test.hangs", _ -> hang(never)),
            Scripted.of("test.passes", exam -> exam.pass("fine")));
    assertThat(report.results().get(0).outcome()).isEqualTo(Outcome.SKIP);
    assertThat(report.results().get(0).detail()).contains("deadline");
    assertThat(report.results().get(1).outcome()).isEqualTo(Outcome.PASS);
    assertThat(report.took()).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aLibraryThatHangsKeepsNoOtherCheckFromBeingRun() {
    CountDownLatch never = new CountDownLatch(1);
    List<Check> checks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      CheckInfo info = description("test.gpu" + i).reads("nvml fact");
      checks.add(new Scripted(info, _ -> hang(never)));
    }
    checks.add(Scripted.of("test.passes", exam -> exam.pass("fine")));
    Report report = examine(Site.none(TODAY), Level.PASSIVE, checks.toArray(Check[]::new));
    assertThat(report.results()).extracting(result -> result.info().id()).endsWith("test.passes");
    assertThat(report.results().getLast().outcome()).isEqualTo(Outcome.PASS);
    assertThat(report.count(Outcome.SKIP)).isEqualTo(10);
  }

  /** As a thread stuck in the kernel does, it heeds no interruption. */
  private static void hang(CountDownLatch never) {
    boolean hung = true;
    for (long end = System.nanoTime() + 5_000_000_000L; hung && System.nanoTime() < end; ) {
      try {
        hung = !never.await(1, TimeUnit.SECONDS);
      } catch (InterruptedException _) {
        // On purpose: the kernel does not listen either.
      }
    }
  }

  @Test
  void aCheckThatThrowsIsSkippedAsADefectNotPassed() {
    Report report =
        examine(
            Site.none(TODAY),
            Level.PASSIVE,
            Scripted.of(
                "test.throws",
                _ -> {
                  throw new IllegalStateException("boom");
                }));
    assertThat(report.results().getFirst().outcome()).isEqualTo(Outcome.SKIP);
    assertThat(report.results().getFirst().detail()).contains("HF-1901").contains("boom");
  }

  @Test
  void aCheckThatSaysNothingIsSkipped() {
    Report report = examine(Site.none(TODAY), Level.PASSIVE, Scripted.of("test.silent", _ -> {}));
    assertThat(report.results().getFirst().outcome()).isEqualTo(Outcome.SKIP);
  }

  @Test
  void anOverrideLowersTheSeverityUntilItExpires() {
    Check bad =
        Scripted.of(
            "test.bad", exam -> exam.fatal(exam.here(), "broken").evidence("source", "value"));
    SiteOverride override =
        new SiteOverride(
            "test.*", _ -> true, "", Map.of(), Optional.of(Severity.INFO), "known", TODAY);
    Report softened = examine(new Site(Map.of(), List.of(override), TODAY), Level.PASSIVE, bad);
    assertThat(softened.results().getFirst().outcome()).isEqualTo(Outcome.PASS);
    assertThat(softened.findings().getFirst().summary()).contains("known");
    Report expired =
        examine(new Site(Map.of(), List.of(override), TODAY.plusDays(1)), Level.PASSIVE, bad);
    assertThat(expired.results().getFirst().outcome()).isEqualTo(Outcome.FAIL);
  }

  /** An active check that changes a setting and never puts it back itself. */
  private record Careless(AtomicReference<String> clock, boolean stuck) implements ActiveCheck {
    @Override
    public CheckInfo info() {
      CheckInfo info = description("test.active");
      return new CheckInfo(
          info.id(),
          info.question(),
          Level.QUICK,
          info.faultClass(),
          info.proof(),
          info.needs(),
          info.reads(),
          info.meaning(),
          info.remedy(),
          info.limits());
    }

    @Override
    public Duration deadline() {
      return Duration.ofSeconds(1);
    }

    @Override
    public List<Setting> touches() {
      return List.of(
          new Setting() {
            @Override
            public String name() {
              return "clock";
            }

            @Override
            public String read() {
              return String.valueOf(clock.get());
            }

            @Override
            public void write(String value) {
              if (!stuck) {
                clock.set(value);
              }
            }
          });
    }

    @Override
    public void run(Examination exam) {
      clock.set("locked");
      exam.pass("measured");
    }
  }

  @Test
  void whatAnActiveCheckTouchedIsPutBack() {
    AtomicReference<String> clock = new AtomicReference<>("free");
    Report report = examine(Site.none(TODAY), Level.QUICK, new Careless(clock, false));
    assertThat(clock).hasValue("free");
    assertThat(report.findings()).isEmpty();
  }

  @Test
  void aSettingThatCannotBePutBackIsAFinding() {
    AtomicReference<String> clock = new AtomicReference<>("free");
    Report report = examine(Site.none(TODAY), Level.QUICK, new Careless(clock, true));
    assertThat(report.findings()).hasSize(1);
    assertThat(report.findings().getFirst().summary()).contains("clock");
  }

  @Test
  void passiveRunsLeaveActiveChecksOut() {
    AtomicReference<String> clock = new AtomicReference<>("free");
    Report report = examine(Site.none(TODAY), Level.PASSIVE, new Careless(clock, true));
    assertThat(report.results()).isEmpty();
    assertThat(clock).hasValue("free");
  }
}
