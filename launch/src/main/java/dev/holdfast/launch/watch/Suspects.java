package dev.holdfast.launch.watch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * When nobody goes on: whom do the others wait for?
 *
 * <p>Each {@link Sign} splits the ranks in two: those it points at and those it lets go. A sign
 * counts only when the split is clean, that is, when every rank it does not point at behaves as one
 * that waits. The set most signs agree on, the strong ones first, is suspected.
 *
 * <p>An idle rank beside busy ones is not by itself suspect: it may have finished first and wait
 * for them. Only where ranks are known to burn CPU whenever they wait does idleness say something,
 * and then not much. What tells more is where a rank sleeps: nobody waits for others in a plain
 * sleep.
 *
 * <p>A device at 100 percent is no proof of work: a collective that waits for another rank runs at
 * 100 percent too. So it acquits nobody, it buys time, the most where the other devices stand
 * still. A device that stands still among busy ones, in a job whose devices never did so at work,
 * points at a rank that has not joined.
 */
final class Suspects {
  private static final double LONG_ENOUGH = 8;
  private static final double CLEARLY_FIRST = 3;
  private static final double SLEEP_SHARE = 0.6;

  private final List<RankTrack> ranks;
  private final double now;
  private final Learned learned;

  Suspects(List<RankTrack> ranks, double now, Learned learned) {
    this.ranks = ranks;
    this.now = now;
    this.learned = learned;
  }

  /** Only ranks that do nothing at all are suspected. */
  Suspicion blocked() {
    if (ranks.stream().anyMatch(rank -> rank.stuckInKernel(now))) {
      return Suspicion.NOBODY;
    }
    Map<Sign, List<RankTrack>> pointed = new EnumMap<>(Sign.class);
    strongSigns(pointed, this::blocked);
    if (learned.waitsByTurning() && ranks.size() > 2) {
      put(pointed, Sign.STILL, fewest(split(this::blocked, this::turns)));
    }
    if (learned.waitsOnDevice() && ranks.size() > 2) {
      put(
          pointed,
          Sign.DEVICE,
          fewest(split(rank -> blocked(rank) && deviceStill(rank), this::deviceBusy)));
    }
    return agreed(pointed);
  }

  /** After a long silence: ranks that work, or are stuck in the kernel, are suspected too. */
  Suspicion any() {
    Map<Sign, List<RankTrack>> pointed = new EnumMap<>(Sign.class);
    strongSigns(pointed, _ -> true);
    put(
        pointed,
        Sign.KERNEL,
        split(rank -> rank.stuckInKernel(now), rank -> !rank.stuckInKernel(now)));
    if (ranks.size() > 2) {
      put(pointed, Sign.STILL, fewest(split(this::idle, this::turns)));
      put(pointed, Sign.ALONE, fewest(split(this::turns, this::waits)));
      put(pointed, Sign.DEVICE, fewest(split(this::deviceStill, this::deviceBusy)));
    }
    if (ranks.stream().allMatch(this::idle)) {
      put(pointed, Sign.FIRST, first());
      put(pointed, Sign.ELSEWHERE, elsewhere());
    }
    return agreed(pointed);
  }

  private void strongSigns(Map<Sign, List<RankTrack>> pointed, Predicate<RankTrack> suspect) {
    put(
        pointed,
        Sign.STORE,
        split(
            rank -> suspect.test(rank) && rank.last.waitsFor().isEmpty(),
            rank -> rank.storeWaitFor(now) >= LONG_ENOUGH));
    long lowest = ranks.stream().mapToLong(rank -> rank.last.step()).min().orElse(-1);
    if (lowest >= 0) {
      put(
          pointed,
          Sign.BEHIND,
          split(
              rank -> suspect.test(rank) && rank.last.step() == lowest,
              rank -> rank.last.step() > lowest));
    }
    long first = ranks.stream().mapToLong(rank -> rank.last.collective()).min().orElse(-1);
    if (first >= 0) {
      put(
          pointed,
          Sign.RECORDER,
          split(
              rank -> suspect.test(rank) && rank.last.collective() == first,
              rank -> rank.last.collective() > first));
    }
    put(
        pointed,
        Sign.SLEEP,
        split(
            this::sleeps,
            rank -> !sleeps(rank) && (turns(rank) || waits(rank) || deviceBusy(rank))));
  }

  private boolean idle(RankTrack rank) {
    return rank.idleFor(now) >= LONG_ENOUGH;
  }

  private boolean blocked(RankTrack rank) {
    return idle(rank) && !rank.stuckInKernel(now) && now - rank.memoryAt >= LONG_ENOUGH;
  }

  private boolean turns(RankTrack rank) {
    return rank.busyFor(now) >= LONG_ENOUGH;
  }

  private boolean deviceBusy(RankTrack rank) {
    return rank.deviceBusyFor(now) >= LONG_ENOUGH;
  }

  private boolean deviceStill(RankTrack rank) {
    return rank.deviceIdleFor(now) >= LONG_ENOUGH;
  }

  private boolean waits(RankTrack rank) {
    return idle(rank) && rank.place.isWaitForOthers() && !rank.stuckInKernel(now);
  }

  /** Asleep for most of the time it is quiet; who tries again and again is found elsewhere too. */
  private boolean sleeps(RankTrack rank) {
    return blocked(rank)
        && rank.place == Place.SLEEP
        && now - rank.placeSince >= SLEEP_SHARE * (now - rank.progressAt());
  }

  /** Those pointed at, if everybody else is let go and they are few. */
  private List<RankTrack> split(Predicate<RankTrack> pointed, Predicate<RankTrack> letGo) {
    List<RankTrack> suspects = new ArrayList<>();
    for (RankTrack rank : ranks) {
      boolean released = letGo.test(rank);
      if (!released && !pointed.test(rank)) {
        return List.of();
      }
      if (!released) {
        suspects.add(rank);
      }
    }
    return few(suspects.size()) ? List.copyOf(suspects) : List.of();
  }

  /** One busy and one idle half say nothing about who waits for whom. */
  private List<RankTrack> fewest(List<RankTrack> suspects) {
    return 2 * suspects.size() < ranks.size() ? suspects : List.of();
  }

  private boolean few(int size) {
    return size > 0 && size <= ranks.size() / 2;
  }

  private List<RankTrack> first() {
    List<RankTrack> order = new ArrayList<>(ranks);
    order.sort(Comparator.comparingDouble(RankTrack::lastLife));
    for (int i = 1; i <= ranks.size() / 2; i++) {
      if (order.get(i).lastLife() - order.get(i - 1).lastLife() >= CLEARLY_FIRST) {
        List<RankTrack> early = order.subList(0, i);
        return early.stream().allMatch(this::blocked) ? early : List.of();
      }
    }
    return List.of();
  }

  private List<RankTrack> elsewhere() {
    Map<String, List<RankTrack>> places =
        ranks.stream().collect(Collectors.groupingBy(rank -> rank.last.waitsIn()));
    if (ranks.size() < 4 || places.size() != 2 || places.containsKey("")) {
      return List.of();
    }
    return places.values().stream()
        .filter(list -> list.size() == 1 && list.stream().allMatch(this::blocked))
        .findFirst()
        .orElse(List.of());
  }

  private static void put(Map<Sign, List<RankTrack>> pointed, Sign sign, List<RankTrack> suspects) {
    if (!suspects.isEmpty()) {
      pointed.put(sign, suspects);
    }
  }

  private static Suspicion agreed(Map<Sign, List<RankTrack>> pointed) {
    if (pointed.isEmpty()) {
      return Suspicion.NOBODY;
    }
    // Strong signs stand first in the order of the constants, so the first one leads.
    List<RankTrack> chosen = pointed.values().iterator().next();
    Set<RankTrack> set = Set.copyOf(chosen);
    List<Sign> signs = new ArrayList<>();
    int against = 0;
    for (Map.Entry<Sign, List<RankTrack>> entry : pointed.entrySet()) {
      if (set.equals(Set.copyOf(entry.getValue()))) {
        signs.add(entry.getKey());
      } else {
        against++;
      }
    }
    return new Suspicion(chosen, signs, against);
  }
}
