package dev.holdfast.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.testing.TryNode;
import dev.holdfast.agent.testing.TryPlane;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.health.Proof;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.History;
import dev.holdfast.doctor.site.Site;
import dev.holdfast.os.process.Heartbeats;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchTest {
  @TempDir Path folder;

  /** A check that waits until it is let go, as a read of a dead mount does. */
  private static final class Hanging implements Check {
    final CountDownLatch free = new CountDownLatch(1);
    final AtomicInteger begun = new AtomicInteger();

    @Override
    public CheckInfo info() {
      return CheckInfo.of("nic.link.state", "Does it hang?", FaultClass.UNKNOWN, Proof.HARDWARE);
    }

    @Override
    public void run(Examination exam) {
      begun.incrementAndGet();
      boolean interrupted = false;
      while (free.getCount() > 0) {
        try {
          free.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      exam.pass("it is free");
    }
  }

  @Test
  void aCheckThatHangsIsBegunOnceAndTheOthersGoOn() throws Exception {
    TryNode node = TryNode.in(folder);
    Hanging hanging = new Hanging();
    Map<String, CheckResult> latest = new ConcurrentHashMap<>();
    AtomicInteger presence = new AtomicInteger();
    List<Check> checks = List.of(hanging, Checks.all().get(0), Checks.all().get(1));
    try (Watch watch =
        new Watch(
            new FolderMachine(node.folder(), InstantSource.system()),
            checks,
            Site.none(LocalDate.EPOCH),
            _ -> History.EMPTY,
            results -> {
              results.forEach(result -> latest.put(result.info().id(), result));
              presence.addAndGet(results.size() == 2 ? 1 : 0);
            })) {
      Heartbeats heartbeats = new Heartbeats();
      watch.start(heartbeats);
      TryPlane.until(
          "stuck", Duration.ofSeconds(40), () -> watch.stuck().containsKey("nic.link.state"));
      assertThat(hanging.begun).hasValue(1);
      assertThat(presence.get()).isGreaterThan(4);
      assertThat(latest.get("nic.link.state"))
          .satisfies(result -> assertThat(result.outcome()).isEqualTo(Outcome.SKIP));
      assertThat(heartbeats.late()).isEmpty();
      hanging.free.countDown();
      TryPlane.until("free", Duration.ofSeconds(30), () -> watch.stuck().isEmpty());
      TryPlane.until(
          "looked again",
          Duration.ofSeconds(30),
          () ->
              java.util.Optional.ofNullable(latest.get("nic.link.state"))
                  .filter(it -> it.outcome() == Outcome.PASS)
                  .isPresent());
    }
  }

  @Test
  void everyCheckHasAPaceAndTheFastOnesAreFew() {
    Map<Pace, Long> paces =
        Checks.all().stream()
            .map(check -> Pace.of(check.info().id()))
            .collect(
                java.util.stream.Collectors.groupingBy(
                    pace -> pace, java.util.stream.Collectors.counting()));
    assertThat(paces.get(Pace.LINK)).isEqualTo(1);
    assertThat(paces.get(Pace.PRESENCE)).isEqualTo(2);
    assertThat(paces.get(Pace.LOG)).isEqualTo(12);
    assertThat(Pace.of("nic.link.rate")).isEqualTo(Pace.COUNTER);
    assertThat(Pace.of("nic.congestion.settings")).isEqualTo(Pace.MINUTE);
    assertThat(Pace.of("site.anything")).isEqualTo(Pace.SLOW);
  }
}
