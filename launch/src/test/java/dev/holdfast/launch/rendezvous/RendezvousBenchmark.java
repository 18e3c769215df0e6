package dev.holdfast.launch.rendezvous;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * What leading costs: {@code RendezvousBenchmark MEMBERS RANKS}, by hand. Members renew each second
 * with the state of all their ranks, over loopback, in the same JVM.
 */
final class RendezvousBenchmark {
  private RendezvousBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    int members = Integer.parseInt(arguments[0]);
    int ranks = Integer.parseInt(arguments[1]);
    int port = 29_411;
    Setup setup =
        new Setup(
            "bench",
            FakeNode.member("leader", 0, ranks),
            members + 1,
            members + 1,
            0,
            "127.0.0.1",
            port,
            true,
            "t",
            Set.of(),
            Timings.USUAL.withEvidence(Duration.ofMillis(1), Duration.ofMillis(1)));
    FakeNode leader = new FakeNode("leader");
    long begun = System.nanoTime();
    try (Rendezvous _ = leader.join(setup, new FakeJudge(10, false));
        Crowd crowd = new Crowd("bench", "t", port, members, ranks)) {
      leader.await("start 0", Duration.ofMinutes(2));
      settle(crowd, members);
      print("joined and started", "%.2f s", (System.nanoTime() - begun) / 1e9);
      Thread.sleep(5_000);
      long cpu = leaderCpu();
      long at = System.nanoTime();
      Thread.sleep(10_000);
      double share = (leaderCpu() - cpu) / (double) (System.nanoTime() - at);
      print("leader while all renew", "%.1f %% of a core", 100 * share);
      for (int i = 0; i < 5; i++) {
        long toMembers = crowd.received.get();
        long toLeader = crowd.sent.get();
        at = System.nanoTime();
        crowd.fail(i);
        leader.await("start " + (i + 1));
        double first = (System.nanoTime() - at) / 1e9;
        settle(crowd, members);
        double last = (System.nanoTime() - at) / 1e9;
        print("from exit to next start, first node", "%.3f s", first);
        print("from exit to next start, last node", "%.3f s", last);
        print(
            "messages to a member", "%.1f", (crowd.received.get() - toMembers) / (double) members);
        print("messages from a member", "%.1f", (crowd.sent.get() - toLeader) / (double) members);
        Thread.sleep(2_000);
      }
    }
  }

  private static void settle(Crowd crowd, int members) throws InterruptedException {
    while (crowd.running.get() < members) {
      Thread.sleep(1);
    }
  }

  private static void print(String what, String form, double value) {
    System.out.println(what + ": " + String.format(Locale.ROOT, form, value));
  }

  private static long leaderCpu() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo info : threads.dumpAllThreads(false, false)) {
      if (info.getThreadName().equals("rendezvous")) {
        return threads.getThreadCpuTime(info.getThreadId());
      }
    }
    throw new IllegalStateException("no leader");
  }
}
