package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class CrowdTest {
  private static final int MEMBERS = 2_000;

  @Test
  void twoThousandMembersStartFailRestartAndEndTogether() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Timings usual = Timings.USUAL;
    // The crowd elects nobody: a machine with other things to do must not look like lost members.
    Timings timings =
        new Timings(
            usual.renew(),
            Duration.ofSeconds(60),
            Duration.ofSeconds(12),
            usual.lastCall(),
            usual.join(),
            usual.rejoin(),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            usual.grace(),
            usual.endGrace(),
            usual.stopLimit());
    int nodes = MEMBERS + 1;
    Setup setup =
        new Setup(
            "crowd",
            FakeNode.member("leader", 0, 1),
            nodes,
            nodes,
            0,
            "127.0.0.1",
            port,
            true,
            "t",
            Set.of(),
            timings);
    FakeNode leader = new FakeNode("leader");
    try (Rendezvous rendezvous = leader.join(setup, new FakeJudge(1, false));
        Crowd crowd = new Crowd("crowd", "t", port, MEMBERS, 1)) {
      leader.await("start 0", Duration.ofSeconds(90));
      await(crowd, MEMBERS);
      long before = crowd.received.get();
      crowd.fail(7);
      leader.await("start 1", Duration.ofSeconds(90));
      await(crowd, MEMBERS);
      // Told to stop, to hold the record and to start, and an answer to each renewal meanwhile.
      assertThat(crowd.received.get() - before).isLessThan(MEMBERS * 40L);
      assertThat(rendezvous.view().members())
          .hasSize(nodes)
          .allMatch(member -> member.state() == View.State.RUNNING);
      crowd.fail(9);
      assertThat(leader.await("finish", Duration.ofSeconds(90)))
          .startsWith("finish 1: no restarts left");
      assertThat(crowd.ended.get()).isEqualTo(MEMBERS);
      assertThat(crowd.lost).as("connections that ended before the job").isEmpty();
    }
  }

  private static void await(Crowd crowd, int running) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (crowd.running.get() < running && System.nanoTime() < deadline) {
      Thread.sleep(10);
    }
    assertThat(crowd.running.get()).isEqualTo(running);
  }
}
