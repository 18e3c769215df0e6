package dev.holdfast.core.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.health.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KernelLogTest {
  private static final Instant BOOT = Instant.parse("2026-08-01T00:00:00Z");

  @Test
  void givesDeviceCodeAndWallTimeOfAnXid() {
    List<KernelEvent> events =
        KernelLog.decode(
            "<3>[  100.500000] NVRM: Xid (PCI:0000:3B:00): 79, pid=1234, name=python,"
                + " GPU has fallen off the bus.\n",
            Optional.of(BOOT),
            Optional.empty());
    assertThat(events).hasSize(1);
    KernelEvent event = events.getFirst();
    assertThat(event.isXid(79)).isTrue();
    assertThat(event.device()).isEqualTo("0000:3b:00.0");
    assertThat(event.severity()).isEqualTo(Severity.FATAL);
    assertThat(event.first()).contains(BOOT.plusMillis(100_500));
  }
}
