package dev.holdfast.core.forensics.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.stacks.Standstill.Seen;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandstillTest {
  private static final List<String> REDUCING =
      List.of("<module>@train.py:90", "step@train.py:40", "all_reduce@distributed_c10d.py:1320");

  private static Seen in(int rank, String call, String... frames) {
    return new Seen(rank, List.of(List.of(frames)), call, 'S', "");
  }

  /** Ranks 0 to 3, of which one is given and the others are in an all_reduce. */
  private static Standstill with(Seen odd) {
    List<Seen> all = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      all.add(rank == odd.rank() ? odd : new Seen(rank, List.of(REDUCING), "epoll_wait", 'S', ""));
    }
    return Standstill.of(all);
  }

  @Test
  void whoLoadsDataIsAwaited() {
    Standstill found =
        with(
            in(
                2,
                "read(pipe)",
                "<module>@train.py:90",
                "__next__@dataloader.py:628",
                "_try_get_data@dataloader.py:1132",
                "get@queues.py:103"));
    assertThat(found.awaited()).containsExactly(2);
    assertThat(found.what()).isEqualTo("Rank 2 loads data while 3 others wait for it.");
    assertThat(found.evidence(8))
        .containsExactly(
            "rank 2 loads data: _try_get_data@dataloader.py:1132, in read(pipe)",
            "ranks 0-1,3 wait in a collective: all_reduce@distributed_c10d.py:1320, in epoll_wait");
  }

  @Test
  void aLockOfPythonShowsInTheSystemCall() {
    Standstill found = with(in(1, "futex", "<module>@train.py:90", "step@train.py:44"));
    assertThat(found.awaited()).containsExactly(1);
    assertThat(found.evidence(8).getFirst())
        .isEqualTo("rank 1 waits for a lock or another thread: step@train.py:44, in futex");
  }

  @Test
  void threadsOfPythonDoNotCount() {
    Seen two =
        new Seen(
            3,
            List.of(
                List.of("_bootstrap@threading.py:995", "all_reduce@distributed_c10d.py:1320"),
                List.of("<module>@train.py:90", "load@store.py:7")),
            "read(file)",
            'S',
            "");
    assertThat(with(two).stands().get(3))
        .isEqualTo(new Standstill.Stand(3, Place.FILE, "load@store.py:7", "read(file)"));
  }

  @Test
  void aStoppedRankIsAwaited() {
    Standstill found = with(new Seen(0, List.of(), "", 'T', "in state T no signal reaches it"));
    assertThat(found.awaited()).containsExactly(0);
    assertThat(found.what()).isEqualTo("Rank 0 is stopped while 3 others wait for it.");
  }

  @Test
  void whereAllWaitNobodyIsAwaited() {
    assertThat(with(in(2, "epoll_wait", REDUCING.toArray(String[]::new))).awaited()).isEmpty();
  }

  @Test
  void whereMostStandElsewhereNobodyIsAwaited() {
    List<Seen> all = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      all.add(
          rank == 0
              ? in(rank, "", REDUCING.toArray(String[]::new))
              : in(rank, "", "<module>@train.py:90", "forward@model.py:" + rank));
    }
    assertThat(Standstill.of(all).awaited()).isEmpty();
  }

  @Test
  void whoCouldNotBeLookedAtIsNotBlamed() {
    assertThat(with(new Seen(2, List.of(), "", ' ', "it did not answer")).awaited()).isEmpty();
  }

  @Test
  void severalInDifferentPlaces() {
    List<Seen> all = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      all.add(new Seen(rank, List.of(REDUCING), "", 'S', ""));
    }
    all.set(3, in(3, "futex", "<module>@train.py:90", "step@train.py:44"));
    all.set(5, in(5, "", "<module>@train.py:90", "fetch@fetch.py:49"));
    Standstill found = Standstill.of(all);
    assertThat(found.awaited()).containsExactly(3, 5);
    assertThat(found.what()).isEqualTo("Ranks 3,5 are elsewhere while 6 others wait for them.");
  }

  @Test
  void theOnlyRankIsAwaitedByThePersonThatAsks() {
    Standstill found =
        Standstill.of(List.of(in(0, "futex", "<module>@train.py:90", "step@train.py:44")));
    assertThat(found.awaited()).containsExactly(0);
    assertThat(found.what()).isEqualTo("Rank 0, the only one, waits for a lock or another thread.");
    assertThat(found.evidence(8))
        .containsExactly("rank 0 waits for a lock or another thread: step@train.py:44, in futex");
  }
}
