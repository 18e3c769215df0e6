package dev.holdfast.agent.tell;

import static dev.holdfast.agent.testing.Found.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.agent.testing.Found;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.report.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StormsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Storms storms = new Storms();

  private static Finding xid(int gpu, int code, Severity how) {
    return event("gpu.kernel.xid", Found.NODE.gpu(gpu), how, "Xid " + code);
  }

  private static long count(List<Statement> said) {
    return said.stream().mapToLong(it -> ((Statement.Raised) it).count()).sum();
  }

  @Test
  void aStormOfOneKindIsAFewReportsThatCountAll() {
    List<Statement> said = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      Instant now = START.plusMillis(i * 10L);
      said.addAll(storms.take(xid(0, 13, Severity.WARNING), 1, now));
      if (i % 100 == 0) {
        said.addAll(storms.over(now));
      }
    }
    said.addAll(storms.over(START.plusSeconds(1_200)));
    assertThat(said).hasSizeLessThan(15);
    assertThat(count(said)).isEqualTo(60_000);
  }

  @Test
  void anotherCodeDeviceOrSeverityPassesAtOnce() {
    assertThat(storms.take(xid(0, 13, Severity.WARNING), 1, START)).hasSize(1);
    assertThat(storms.take(xid(0, 13, Severity.WARNING), 1, START)).isEmpty();
    assertThat(storms.take(xid(0, 79, Severity.WARNING), 1, START)).hasSize(1);
    assertThat(storms.take(xid(1, 13, Severity.WARNING), 1, START)).hasSize(1);
    assertThat(storms.take(xid(0, 13, Severity.FATAL), 1, START)).hasSize(1);
  }

  @Test
  void aLineCountInTheWordsIsNoOtherKind() {
    Finding one = event("a.b", Found.NODE, Severity.WARNING, "Xid 13, 7 lines");
    Finding more = event("a.b", Found.NODE, Severity.WARNING, "Xid 13, 9 lines");
    assertThat(storms.take(one, 7, START)).hasSize(1);
    assertThat(storms.take(more, 2, START)).isEmpty();
  }

  @Test
  void tooManyKindsAreCountedByCheck() {
    List<Statement> said = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      said.addAll(storms.take(xid(i, 13, Severity.WARNING), 1, START));
    }
    assertThat(said).hasSizeLessThanOrEqualTo(2_000);
    said.addAll(storms.over(START.plusSeconds(11)));
    assertThat(count(said)).isEqualTo(10_000);
  }
}
