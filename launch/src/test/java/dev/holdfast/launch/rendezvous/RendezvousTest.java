package dev.holdfast.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.launch.job.Assignment;
import dev.holdfast.launch.job.Member;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RendezvousTest {
  private static Assignment assigned(FakeNode node) {
    return Objects.requireNonNull(node.assignment);
  }

  @Test
  void aLoneNodeStartsRestartsAndEnds() throws Exception {
    FakeNode node = new FakeNode("n1");
    Setup setup = Setup.alone("job-1", FakeNode.member("n1", 0, 2), Small.QUICK);
    try (Rendezvous rendezvous = node.join(setup, new FakeJudge(1, false))) {
      node.await("start 0");
      assertThat(assigned(node).worldSize()).isEqualTo(2);
      node.exit(0, 0);
      node.exit(1, 7);
      assertThat(node.await("stop 0")).contains("rank 1 exited with 7");
      node.await("close 0");
      node.await("open 1");
      node.await("start 1");
      assertThat(assigned(node).restarts()).isEqualTo(1);
      assertThat(assigned(node).storePort()).isEqualTo(29501);
      node.exit(0, 0);
      node.exit(1, 0);
      assertThat(node.await("finish")).isEqualTo("finish 0: all ranks ended well");
      assertThat(rendezvous.view().role()).isNotEmpty();
    }
    assertThat(node.leases.get()).isZero();
  }

  @Test
  void aLoneNodeEndsWhenTheBudgetIsSpent() throws Exception {
    FakeNode node = new FakeNode("n1");
    Setup setup = Setup.alone("job-1", FakeNode.member("n1", 0, 1), Small.QUICK);
    try (Rendezvous _ = node.join(setup, new FakeJudge(0, false))) {
      node.await("start 0");
      node.exit(0, 3);
      assertThat(node.await("finish"))
          .isEqualTo("finish 1: no restarts left: rank 0 exited with 3");
    }
  }

  @Test
  void anOutsideStopEndsALoneNode() throws Exception {
    FakeNode node = new FakeNode("n1");
    Setup setup = Setup.alone("job-1", FakeNode.member("n1", 0, 1), Small.QUICK);
    try (Rendezvous rendezvous = node.join(setup, new FakeJudge(0, false))) {
      node.await("start 0");
      rendezvous.endJob(130, "interrupted");
      node.await("stop 0: interrupted");
      assertThat(node.await("finish")).isEqualTo("finish 130: interrupted");
    }
  }

  @Test
  void threeNodesMeetFailTogetherAndEndTogether() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n10"), new FakeNode("n2"), new FakeNode("n1"));
    Judge judge = new FakeJudge(1, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n10", port, true, 3, 3, 0), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 3, 3, 0), judge);
        Rendezvous c = nodes.get(2).join(Small.setup("n1", port, false, 3, 3, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
        assertThat(assigned(node).members())
            .extracting(Member::node)
            .containsExactly("n1", "n2", "n10");
      }
      nodes.get(1).exit(3, 9);
      for (FakeNode node : nodes) {
        assertThat(node.await("stop 0")).contains("rank 3 exited with 9");
        node.await("start 1");
      }
      for (FakeNode node : nodes) {
        assertThat(assigned(node).restarts()).isEqualTo(1);
        node.exit(0, 0);
        node.exit(1, 0);
      }
      for (FakeNode node : nodes) {
        node.await("finish 0");
        assertThat(node.leases.get()).isPositive();
        // It counts from when the renewal was sent.
        assertThat(node.longest.get()).isBetween(1L, Small.QUICK.lease().toNanos());
      }
      assertThat(List.of(a.view().term(), b.view().term(), c.view().term())).containsOnly(1L);
    }
  }

  /** Its process ends when this returns: what it has not said by then, it never says. */
  @Test
  void aLeaderWithoutRanksGoesOnlyWhenTheOthersWereTold() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    Judge judge = new FakeJudge(3, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 2, 3, 0), judge);
        Rendezvous _ = nodes.get(1).join(Small.setup("n2", port, false, 2, 3, 0), judge);
        Rendezvous _ = nodes.get(2).join(Small.setup("n3", port, false, 2, 3, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      nodes.getFirst().held = Duration.ofMillis(300);
      a.gone(1, "its supervisor is gone");
      assertThat(nodes.getFirst().happened).contains("finish 1: its supervisor is gone");
      for (FakeNode node : nodes.subList(1, 3)) {
        assertThat(node.await("stop 0")).isEqualTo("stop 0: the leader was lost");
      }
    }
  }

  @Test
  void theJobOutlivesItsFirstLeader() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    Judge judge = new FakeJudge(3, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 2, 3, 0), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 2, 3, 0), judge);
        Rendezvous c = nodes.get(2).join(Small.setup("n3", port, false, 2, 3, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      Small.crash(a);
      for (FakeNode node : nodes.subList(1, 3)) {
        node.await("stop 0");
        node.await("start 1");
        assertThat(assigned(node).members()).extracting(Member::node).containsExactly("n2", "n3");
      }
      assertThat(Math.max(b.view().term(), c.view().term())).isGreaterThan(1);
      c.endJob(143, "terminated");
      for (FakeNode node : nodes.subList(1, 3)) {
        assertThat(node.await("finish")).isEqualTo("finish 143: terminated");
      }
    }
  }

  /** One restart for a failure under the first leader; the next leader knows that it was one. */
  @Test
  void theBudgetOfRestartsFollowsTheJobToItsNextLeader() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    try (Rendezvous a =
            nodes.get(0).join(Small.setup("n1", port, true, 2, 3, 0), new FakeJudge(1, false));
        Rendezvous _ =
            nodes.get(1).join(Small.setup("n2", port, false, 2, 3, 0), new FakeJudge(1, false));
        Rendezvous _ =
            nodes.get(2).join(Small.setup("n3", port, false, 2, 3, 0), new FakeJudge(1, false))) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      nodes.get(1).exit(3, 9);
      for (FakeNode node : nodes) {
        node.await("start 1");
      }
      Small.crash(a);
      for (FakeNode node : nodes.subList(1, 3)) {
        assertThat(node.await("finish")).startsWith("finish 1: no restarts left");
      }
    }
  }

  /**
   * A launcher that came later took the place of a first one. It does not vote, so that with the
   * loss of a second one nobody may decide: the two that are left end, each with the code for that.
   */
  @Test
  void whereOnlyLateLaunchersAreLeftBesideAMinorityTheJobEnds() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes =
        List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"), new FakeNode("n4"));
    Judge judge = new FakeJudge(9, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 2, 3, 0), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 2, 3, 0), judge);
        Rendezvous c = nodes.get(2).join(Small.setup("n3", port, false, 2, 3, 0), judge)) {
      for (FakeNode node : nodes.subList(0, 3)) {
        node.await("start 0");
      }
      FakeNode late = nodes.get(3);
      try (Rendezvous d = late.join(Small.setup("n4", port, false, 2, 3, 0), judge)) {
        awaitLease(d);
        Small.crash(b);
        nodes.get(0).await("start 1");
        nodes.get(2).await("start 1");
        late.await("start 1");
        assertThat(assigned(late).members())
            .extracting(Member::node)
            .containsExactly("n1", "n3", "n4");
        assertThat(a.view().members())
            .filteredOn(m -> m.member().node().equals("n4"))
            .singleElement()
            .extracting(View.Standing::votes)
            .isEqualTo(false);
        Small.crash(c);
        for (FakeNode node : List.of(nodes.get(0), late)) {
          node.await("stop 1");
          assertThat(node.await("finish")).startsWith("finish 75: no majority");
        }
      }
    }
  }

  @Test
  void aLoneNodesProcessIsStartedAgainAndItsRanksGoOn() throws Exception {
    FakeNode node = new FakeNode("n1");
    Setup setup = Setup.alone("job-1", FakeNode.member("n1", 0, 2), Small.QUICK);
    Judge judge = new FakeJudge(1, false);
    Small.crash(awaitStart(node, node.join(setup, judge), 0));
    try (Rendezvous again = node.resume(setup, judge)) {
      assertThat(again.view().role()).isEqualTo("leader");
      node.exit(0, 0);
      node.exit(1, 7);
      node.await("stop 0: rank 1 exited with 7");
      node.await("start 1");
      Small.crash(again);
    }
    try (Rendezvous _ = node.resume(setup, judge)) {
      node.exit(0, 0);
      node.exit(1, 3);
      assertThat(node.await("finish"))
          .isEqualTo("finish 1: no restarts left: rank 1 exited with 3");
    }
    assertThat(node.happened).noneMatch(it -> it.startsWith("start"));
  }

  private static Rendezvous awaitStart(FakeNode node, Rendezvous rendezvous, int attempt)
      throws InterruptedException {
    node.await("start " + attempt);
    return rendezvous;
  }

  @Test
  void leaderAndMemberAreStartedAgainAndNoRankNotices() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    Judge judge = new FakeJudge(3, false);
    Setup first = Small.setup("n1", port, true, 3, 3, 0);
    Setup second = Small.setup("n2", port, false, 3, 3, 0);
    Rendezvous a = nodes.get(0).join(first, judge);
    Rendezvous b = nodes.get(1).join(second, judge);
    try (Rendezvous _ = nodes.get(2).join(Small.setup("n3", port, false, 3, 3, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      Small.crash(a);
      try (Rendezvous leader = nodes.get(0).resume(first, judge)) {
        awaitLease(leader);
        Small.crash(b);
        try (Rendezvous member = nodes.get(1).resume(second, judge)) {
          awaitLease(member);
          assertThat(List.of(leader.view().term(), member.view().term())).containsOnly(1L);
          for (FakeNode node : nodes) {
            node.exit(0, 0);
            node.exit(1, 0);
          }
          for (FakeNode node : nodes) {
            node.await("finish 0");
            assertThat(node.happened).noneMatch(it -> it.startsWith("stop"));
          }
        }
      }
    }
  }

  private static void awaitLease(Rendezvous rendezvous) throws InterruptedException {
    long deadline = System.nanoTime() + FakeNode.PATIENCE.toNanos();
    while (rendezvous.view().leaseMillis() == 0) {
      assertThat(System.nanoTime()).as(rendezvous.view().toString()).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  @Test
  void aHangIsSaidWithTheOrderToStopAndALookCanBeAskedForOnAllNodes() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"));
    Judge judge = new FakeJudge(0, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 2, 2, 0), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 2, 2, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      a.collect();
      for (FakeNode node : nodes) {
        node.await("collect");
      }
      b.activity(
          List.of(
              new dev.holdfast.launch.job.RankActivity(2, 99, 'S', 1, 0, 0, 0, 0, "hang", "", "")));
      for (FakeNode node : nodes) {
        node.await("look, stop 0: rank 2 hangs");
      }
    }
  }

  @Test
  void aSpareTakesThePlaceOfALostNode() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    Judge judge = new FakeJudge(3, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 2, 2, 1), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 2, 2, 1), judge)) {
      FakeNode spare = nodes.get(2);
      Setup late = Small.setup("n3", port, false, 2, 2, 1);
      try (Rendezvous _ = spare.join(late, judge)) {
        nodes.get(0).await("start 0");
        nodes.get(1).await("start 0");
        Small.crash(b);
        nodes.get(0).await("start 1");
        spare.await("start 1");
        assertThat(assigned(spare).members()).extracting(Member::node).containsExactly("n1", "n3");
        assertThat(a.view().members())
            .filteredOn(m -> m.member().node().equals("n2"))
            .singleElement()
            .extracting(View.Standing::state)
            .isIn(View.State.LOST, View.State.NOT_CONFIRMED);
      }
    }
  }

  @Test
  void aLauncherWithAnotherTokenIsRefusedWithTheReason() throws Exception {
    int port = Small.freePort();
    FakeNode first = new FakeNode("n1");
    FakeNode stranger = new FakeNode("n2");
    Judge judge = new FakeJudge(0, false);
    Setup good = Small.setup("n1", port, true, 1, 2, 0);
    Setup other = Small.setup("n2", port, false, 1, 2, 0);
    Setup wrong =
        new Setup(
            other.job(),
            other.self(),
            1,
            2,
            0,
            "127.0.0.1",
            port,
            false,
            "guess",
            Set.of(),
            Small.QUICK);
    try (Rendezvous _ = first.join(good, judge);
        Rendezvous _ = stranger.join(wrong, judge)) {
      assertThat(stranger.await("note refused")).contains("token");
      first.await("start 0");
      assertThat(assigned(first).members()).extracting(Member::node).containsExactly("n1");
    }
  }

  @Test
  void withoutAMajorityANodeEndsItsRanksAndThenItself() throws Exception {
    int port = Small.freePort();
    List<FakeNode> nodes = List.of(new FakeNode("n1"), new FakeNode("n2"), new FakeNode("n3"));
    Judge judge = new FakeJudge(3, false);
    try (Rendezvous a = nodes.get(0).join(Small.setup("n1", port, true, 3, 3, 0), judge);
        Rendezvous b = nodes.get(1).join(Small.setup("n2", port, false, 3, 3, 0), judge);
        Rendezvous _ = nodes.get(2).join(Small.setup("n3", port, false, 3, 3, 0), judge)) {
      for (FakeNode node : nodes) {
        node.await("start 0");
      }
      Small.crash(a);
      Small.crash(b);
      nodes.get(2).await("stop 0");
      assertThat(nodes.get(2).await("finish")).startsWith("finish 75: no majority");
    }
  }
}
