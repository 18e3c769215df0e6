package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.launch.supervise.Asking.Reaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules of the supervisor that are functions of time and text. */
class RulesTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void askedOnceItTellsAskedAgainItKillsButAnEchoIsNothing() {
    Asking asking = new Asking(Duration.ofSeconds(30));
    assertThat(asking.ownEndAt()).isEqualTo(Long.MAX_VALUE);
    assertThat(asking.on(15, 10 * SECOND)).isEqualTo(Reaction.TELL);
    assertThat(asking.on(15, 10 * SECOND + SECOND / 10)).isEqualTo(Reaction.NOTHING);
    assertThat(asking.on(2, 11 * SECOND)).isEqualTo(Reaction.KILL);
    assertThat(asking.signal()).contains(15);
  }

  @Test
  void theRanksAreEndedTwoSecondsBeforeWeMayBeKilled() {
    Asking asking = new Asking(Duration.ofSeconds(30));
    asking.on(15, 0);
    assertThat(asking.ownEndAt()).isEqualTo(28 * SECOND);
    assertThat(asking.lastGrace()).isEqualTo(Duration.ofSeconds(1));
    Asking hasty = new Asking(Duration.ofSeconds(2));
    hasty.on(15, 0);
    assertThat(hasty.ownEndAt()).isEqualTo(SECOND);
    assertThat(hasty.lastGrace()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aWatcherIsStartedAgainSoOftenWithinAMinute() {
    Restarts restarts = new Restarts(5, Duration.ofMinutes(1));
    for (int i = 0; i < 5; i++) {
      assertThat(restarts.allow(i * SECOND)).isTrue();
    }
    assertThat(restarts.allow(59 * SECOND)).isFalse();
    assertThat(restarts.allow(62 * SECOND)).isTrue();
    assertThat(restarts.allow(62 * SECOND)).isTrue();
    assertThat(restarts.allow(62 * SECOND)).isFalse();
  }

  @Test
  void aLeaseIsLostOnceAndNewRanksHaveOneMore() {
    Lease lease = new Lease();
    assertThat(lease.lost(1000 * SECOND)).isFalse();
    lease.renewAfterLoss(0);
    assertThat(lease.deadline()).isEqualTo(Long.MAX_VALUE);
    lease.renew(15 * SECOND, 10 * SECOND);
    assertThat(lease.lost(14 * SECOND)).isFalse();
    lease.renew(19 * SECOND, 14 * SECOND);
    assertThat(lease.lost(16 * SECOND)).isFalse();
    assertThat(lease.lost(19 * SECOND)).isTrue();
    assertThat(lease.lost(20 * SECOND)).isFalse();
    lease.renewAfterLoss(30 * SECOND);
    assertThat(lease.lost(34 * SECOND)).isFalse();
    assertThat(lease.lost(35 * SECOND)).isTrue();
    lease.renew(39 * SECOND, 40 * SECOND);
    assertThat(lease.lost(40 * SECOND)).isTrue();
  }

  @Test
  void ourControlGroupIsFoundWhereItIsMounted() {
    String unified = "30 25 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    assertThat(Cgroups.parent("0::/user.slice/a b\n", unified))
        .contains(Path.of("/sys/fs/cgroup/user.slice/a b"));
    String mixed = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
    assertThat(Cgroups.parent("4:memory:/x\n0::/\n", mixed))
        .contains(Path.of("/sys/fs/cgroup/unified"));
    String container = "30 25 0:26 /pod/one /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n";
    assertThat(Cgroups.parent("0::/pod/one/two\n", container))
        .contains(Path.of("/sys/fs/cgroup/two"));
    assertThat(Cgroups.parent("0::/elsewhere\n", container)).isEmpty();
    assertThat(Cgroups.parent("4:memory:/x\n", mixed)).isEmpty();
    assertThat(Cgroups.parent("0::/\n", "nonsense\n")).isEmpty();
  }

  @Test
  void anEnvironmentKeepsBytesThatAreNoText() {
    byte[] block = {'A', '=', (byte) 0xff, '=', 0, '=', 'x', 0, 'B', '=', 0, 'n', 'o', 'n', 'e', 0};
    Environment environment = Environment.parse(block).with(Map.of("C", "ä", "B", "b"));
    assertThat(environment.lines())
        .containsExactlyInAnyOrder(
            new byte[] {'A', '=', (byte) 0xff, '='},
            "B=b".getBytes(StandardCharsets.UTF_8),
            "C=ä".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aProgramThatIsNotOursGetsNoToken() {
    byte[] block =
        "A=a\0HOLDFAST_TOKEN=x\0HOLDFAST_STORE_TOKEN=y\0HOLDFAST_JOB=j\0"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(Environment.parse(block).withoutTokens().lines())
        .extracting(line -> new String(line, StandardCharsets.UTF_8))
        .containsExactly("A=a", "HOLDFAST_JOB=j");
  }

  @Test
  void linesAreCutAtTheirEndsAndBounded() {
    LineBuffer buffer = new LineBuffer(8);
    assertThat(buffer.add("ab".getBytes(StandardCharsets.UTF_8), 2)).isEmpty();
    byte[] more = "c\n\nde".getBytes(StandardCharsets.UTF_8);
    assertThat(buffer.add(more, more.length)).containsExactly("abc", "");
    assertThat(buffer.rest()).isEqualTo("de");
    assertThatThrownBy(() -> buffer.add(new byte[7], 7)).hasMessage("a line of more than 8 bytes");
  }

  @Test
  void onlyOneLineIsTheFirstLine() {
    assertThatThrownBy(() -> SupervisorOptions.of(List.of("x"), "{}\n{}", new StandardStreams()))
        .hasMessage("the first line has a line end in it");
    assertThatThrownBy(() -> SupervisorOptions.of(List.of(), "{}", new StandardStreams()))
        .hasMessageContaining("no command");
  }
}
