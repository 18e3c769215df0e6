package dev.holdfast.os.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testing.NotifySocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceNoticeTest {
  private static final String OWN = Long.toString(ProcessHandle.current().pid());

  private final AtomicLong nanos = new AtomicLong();
  private final Heartbeats heartbeats = new Heartbeats(nanos::get);
  private final List<String> messages = new ArrayList<>();

  @TempDir private Path folder;

  private ServiceNotice notice(String socket, String watched) {
    return new ServiceNotice(
        Map.of("NOTIFY_SOCKET", socket, "WATCHDOG_USEC", "60000000", "WATCHDOG_PID", watched),
        heartbeats,
        messages::add);
  }

  @ParameterizedTest
  @ValueSource(strings = {"notify", "@holdfast-test-"})
  void tellsThatItServesThatItGoesOnAndThatItEnds(String kind) throws Exception {
    String name = kind.startsWith("@") ? kind + OWN : folder.resolve(kind).toString();
    try (NotifySocket manager = new NotifySocket(name)) {
      ServiceNotice notice = notice(name, OWN);
      notice.look();
      assertThat(manager.heard("WATCHDOG=1")).containsExactly("WATCHDOG=1");

      notice.ready();
      assertThat(manager.heard("WATCHDOG=1")).contains("READY=1");

      manager.forget();
      notice.look();
      notice.close();
      notice.look();
      assertThat(manager.heard("STOPPING=1")).containsExactly("WATCHDOG=1", "STOPPING=1");
      assertThat(messages).isEmpty();
    }
  }

  @Test
  void isSilentWhileAThreadThatMustLiveMakesNoProgress() throws Exception {
    String name = folder.resolve("notify").toString();
    try (NotifySocket manager = new NotifySocket(name)) {
      ServiceNotice notice = notice(name, "");
      Heartbeats.Beat beat = heartbeats.expect("deciding", Duration.ofSeconds(30));
      for (int i = 0; i < 40; i++) {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        notice.look();
        manager.forget();
      }
      notice.look();
      notice.ready();
      assertThat(manager.heard("READY=1")).containsExactly("READY=1");
      assertThat(messages).containsExactly("deciding has made no progress for 31 s");

      beat.beat();
      notice.look();

      assertThat(manager.heard("WATCHDOG=1")).containsExactly("READY=1", "WATCHDOG=1");
      assertThat(messages).last().isEqualTo("all threads make progress again");
    }
  }

  @Test
  void aWatchdogThatWaitsForAnotherProcessHearsNothingOfUs() throws Exception {
    String name = folder.resolve("notify").toString();
    try (NotifySocket manager = new NotifySocket(name)) {
      ServiceNotice notice = notice(name, "1");
      notice.look();
      notice.ready();
      notice.close();
      assertThat(manager.heard("STOPPING=1")).containsExactly("READY=1", "STOPPING=1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nonexistent/notify", "vsock:2:1234", "@", "relative"})
  void aSocketNobodyHearsAtIsSaidOnceAndHarmsNothing(String name) {
    ServiceNotice notice = notice(name, OWN);
    notice.ready();
    notice.look();
    notice.close();
    assertThat(messages).hasSize(1).first().asString().contains("does not hear READY=1");
  }
}
