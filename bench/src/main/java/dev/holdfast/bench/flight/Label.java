package dev.holdfast.bench.flight;

import dev.holdfast.bench.flight.Layout.Team;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who did it, and whether what is left tells so. A label is made from the job as it was rehearsed
 * and from which dumps are left, never from an answer.
 *
 * @param unclear ranks of which the dump does not tell what they did last
 */
record Label(
    Rehearsal job,
    Layout layout,
    Fault fault,
    int culprit,
    int second,
    int[] stops,
    boolean timing,
    boolean onlyActive,
    int ahead,
    Set<Integer> unclear) {

  Set<Integer> culprits() {
    return switch (fault) {
      case NONE -> Set.of();
      case NETWORK -> {
        List<Integer> ends = participants(culprit, job.at[culprit]);
        yield ends.size() == 2 ? new TreeSet<>(ends) : Set.of(culprit);
      }
      case HANG_TWICE -> {
        Set<Integer> both = new TreeSet<>();
        for (int rank : new int[] {culprit, second}) {
          if (job.at[rank] == stops[rank]) {
            both.add(rank);
          }
        }
        yield both;
      }
      default -> Set.of(culprit);
    };
  }

  boolean decidable() {
    return switch (fault) {
      case NONE -> false;
      case HANG, CRASH -> missed(culprit);
      case HANG_TWICE -> culprits().stream().allMatch(this::missedWithDump);
      case DEVICE -> unclear.contains(culprit) ? onlyGone(culprit) : deviceIdle();
      case NETWORK ->
          timing
              && participants(culprit, job.at[culprit]).size() == 2
              && participants(culprit, job.at[culprit]).stream().noneMatch(unclear::contains);
      case SLOW ->
          (ahead == 0 || timing)
              && !onlyActive
              && !unclear.contains(culprit)
              && comparable(culprit);
      case OTHER_CALL, OTHER_SIZE, SKIPPED_CALL, EXTRA_CALL -> mistakeSeen();
    };
  }

  private boolean missed(int rank) {
    return unclear.contains(rank) ? onlyGone(rank) : missedWithDump(rank);
  }

  /** It has a dump with nothing unfinished, and somebody with a dump waits for it. */
  private boolean missedWithDump(int rank) {
    return !unclear.contains(rank) && !job.waits(rank) && awaited().contains(rank);
  }

  /** Of all without a dump, it is the only one somebody with a dump may be waiting for. */
  private boolean onlyGone(int rank) {
    Set<Integer> gone = awaited();
    gone.retainAll(unclear);
    return gone.equals(Set.of(rank));
  }

  /** All who belong to what somebody with a dump waits in. */
  private Set<Integer> awaited() {
    Set<Integer> all = new HashSet<>();
    for (int rank = 0; rank < layout.ranks(); rank++) {
      if (!unclear.contains(rank) && job.waits(rank)) {
        all.addAll(participants(rank, job.at[rank]));
      }
    }
    return all;
  }

  private List<Integer> participants(int rank, int call) {
    Step step = job.steps.get(rank).get(call);
    return step.transfer() ? List.of(rank, step.peer()) : step.team().ranks();
  }

  /** Its dump tells that the device did not begin, others tell that theirs did. */
  private boolean deviceIdle() {
    boolean othersBegan = false;
    for (int rank = 0; rank < layout.ranks(); rank++) {
      othersBegan |= rank != culprit && !unclear.contains(rank) && job.waits(rank);
    }
    return timing && othersBegan && job.waits(culprit);
  }

  private boolean comparable(int rank) {
    return layout.teams().stream()
        .anyMatch(
            team ->
                team.ranks().contains(rank)
                    && !team.kind().equals("WORLD")
                    && !team.kind().equals("PIPELINE")
                    && team.ranks().stream().filter(one -> !unclear.contains(one)).count() > 1);
  }

  /** Where it stands, most others called something that does not fit, or siblings tell. */
  private boolean mistakeSeen() {
    if (unclear.contains(culprit)) {
      return onlyGone(culprit) && !job.waits(culprit);
    }
    if (!job.waits(culprit)) {
      return missedWithDump(culprit);
    }
    int call = job.at[culprit];
    String key = job.key(culprit, call);
    Step own = job.steps.get(culprit).get(call);
    int differ = 0;
    for (int rank : participants(culprit, call)) {
      int other = rank == culprit ? -1 : find(rank, key);
      if (other >= 0 && !unclear.contains(rank) && !job.steps.get(rank).get(other).fits(own)) {
        differ++;
      }
    }
    return differ >= 2
        || differ == 1 && !onlyActive && (own.transfer() || sibling(own.team(), key));
  }

  private int find(int rank, String key) {
    for (int call = 0; call < job.steps.get(rank).size(); call++) {
      if (job.key(rank, call).equals(key)) {
        return job.given[rank][call] == Rehearsal.NEVER ? -1 : call;
      }
    }
    return -1;
  }

  /** Another group that does the same for the same stage has come as far. */
  private boolean sibling(Team team, String key) {
    int stride = layout.data() * layout.tensor();
    String number = key.substring(key.indexOf('#'));
    for (Team other : layout.teams()) {
      if (other.name() != team.name()
          && other.kind().equals(team.kind())
          && other.ranks().getFirst() / stride == team.ranks().getFirst() / stride) {
        for (int rank : other.ranks()) {
          if (!unclear.contains(rank) && find(rank, other.name() + number) >= 0) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
