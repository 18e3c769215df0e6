package dev.holdfast.store.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.server.StoreView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Connections get the right rank or none, and absent ranks are named only when it is certain. */
class RankNamesTest {
  private static final String KEY = "/barrier";

  /** This machine is 10.0.0.1; process 100 is a child of 90; port 7000 belongs to process 100. */
  private static final RankNames.Processes HERE =
      new RankNames.Processes() {
        @Override
        public OptionalLong of(String address, int port) {
          return port == 7000 ? OptionalLong.of(100) : OptionalLong.empty();
        }

        @Override
        public OptionalLong parent(long process) {
          return Map.of(100L, OptionalLong.of(90)).getOrDefault(process, OptionalLong.empty());
        }

        @Override
        public boolean local(String address) {
          return address.equals("10.0.0.1");
        }
      };

  private static StoreView.Peer peer(
      String address, int port, int process, int rank, List<String> waitsFor, double seconds) {
    return new StoreView.Peer(
        address, port, process, rank, "C", 60, seconds, 3, "wait", 0, waitsFor, seconds);
  }

  private static StoreView.Peer process(String address, int process) {
    return peer(address, 5000 + process, process, -1, List.of(), 1);
  }

  private static List<Integer> ranks(List<RankName> told, StoreView.Peer... peers) {
    RankNames names = new RankNames();
    names.tell(told);
    return names.name(List.of(peers), HERE).stream().map(NamedPeer::rank).toList();
  }

  @Test
  void processNumbersAreToldApartByAddress() {
    List<RankName> told =
        List.of(
            new RankName(0, "n1", "10.0.0.1", 7),
            new RankName(1, "n2", "10.0.0.2", 7),
            new RankName(2, "n2", "10.0.0.2", 8));
    assertThat(ranks(told, process("10.0.0.1", 7), process("10.0.0.2", 7), process("10.0.0.2", 8)))
        .containsExactly(0, 1, 2);
    assertThat(ranks(told, process("10.0.0.3", 7), process("10.0.0.2", 9))).containsOnly(-1);
  }

  @Test
  void withoutAddressesOnlyUniqueNumbersCount() {
    List<RankName> told =
        List.of(
            new RankName(0, "n1", "", 7), new RankName(1, "n2", "", 7), new RankName(2, "", "", 8));
    assertThat(ranks(told, process("10.0.0.1", 7), process("10.0.0.9", 8))).containsExactly(-1, 2);
  }

  @Test
  void whatAScriptStartedIsTheRankTheScriptIs() {
    List<RankName> told = List.of(new RankName(5, "n1", "10.0.0.1", 90));
    assertThat(ranks(told, process("10.0.0.1", 100))).containsExactly(5);
    // Numbers of other machines have other parents.
    assertThat(ranks(told, process("10.0.0.2", 100))).containsExactly(-1);
  }

  @Test
  void clientsThatDoNotTellAreFoundByTheirPort() {
    List<RankName> told = List.of(new RankName(5, "n1", "10.0.0.1", 100));
    assertThat(ranks(told, peer("10.0.0.1", 7000, 0, -1, List.of(), 1))).containsExactly(5);
    assertThat(ranks(told, peer("10.0.0.2", 7000, 0, -1, List.of(), 1))).containsExactly(-1);
  }

  @Test
  void ownKeysNameTheOtherConnectionsOfTheProcessTooAndTheLauncherKnowsBetter() {
    assertThat(
            ranks(
                List.of(),
                peer("10.0.0.2", 1, 33, 4, List.of(), 1),
                peer("10.0.0.2", 2, 33, -1, List.of(), 1),
                peer("10.0.0.3", 2, 33, -1, List.of(), 1)))
        .containsExactly(4, 4, -1);
    assertThat(
            ranks(
                List.of(new RankName(9, "n", "10.0.0.2", 33)),
                peer("10.0.0.2", 1, 33, 4, List.of(), 1)))
        .containsExactly(9);
  }

  @Test
  void aRankIsSeenOverAllItsConnections() {
    RankNames names = new RankNames();
    names.tell(List.of(new RankName(3, "n3", "", 33)));
    List<RankState> states =
        RankNames.ranks(
            names.name(
                List.of(
                    peer("10.0.0.2", 1, 33, -1, List.of(), 2),
                    peer("10.0.0.2", 2, 33, -1, List.of(KEY), 42),
                    peer("10.0.0.2", 3, 34, -1, List.of(KEY), 1)),
                HERE));
    assertThat(states).containsExactly(new RankState(3, "n3", 33, 2, List.of(KEY), 42, 2));
  }

  private static List<NamedPeer> waiting(int world, int... absent) {
    List<NamedPeer> peers = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      int one = rank;
      boolean away = java.util.Arrays.stream(absent).anyMatch(r -> r == one);
      peers.add(
          new NamedPeer(
              peer("10.0.0.2", rank, rank + 1, -1, away ? List.of() : List.of(KEY), 42 + rank),
              rank,
              "",
              0));
    }
    return peers;
  }

  @Test
  void theOnlyOneNotInABarrierIsNamed() {
    Absence absence = Absence.of(64, waiting(64, 17)).orElseThrow();
    assertThat(absence.key()).isEqualTo(KEY);
    assertThat(absence.ranks()).containsExactly(17);
    assertThat(absence.connected()).containsExactly(17);
    assertThat(absence.seconds()).isEqualTo(42);
  }

  @Test
  void oneThatNeverConnectedIsNamedToo() {
    List<NamedPeer> peers = waiting(4);
    peers.removeLast();
    Absence absence = Absence.of(4, peers).orElseThrow();
    assertThat(absence.ranks()).containsExactly(3);
    assertThat(absence.connected()).isEmpty();
  }

  @Test
  void whereOneThatWaitsHasNoRankNobodyIsNamed() {
    List<NamedPeer> peers = waiting(4, 3);
    peers.set(0, new NamedPeer(peers.getFirst().peer(), -1, "", 0));
    Absence absence = Absence.of(4, peers).orElseThrow();
    assertThat(absence.ranks()).isEmpty();
    assertThat(absence.count()).isEqualTo(1);
    assertThat(absence.waiting()).isEqualTo(3);
  }

  @Test
  void aFewThatWaitAreNoBarrierAndAllThatWaitLackNobody() {
    assertThat(Absence.of(64, waiting(20))).isEqualTo(Optional.empty());
    assertThat(Absence.of(4, waiting(4))).isEmpty();
    assertThat(Absence.of(0, waiting(4, 1))).isEmpty();
  }
}
