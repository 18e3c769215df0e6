package dev.holdfast.store.attempts;

import dev.holdfast.store.ranks.RankName;
import java.util.List;

/**
 * What a launcher wants opened.
 *
 * @param attempt counts from 0; greater than any of the job before
 * @param term the newest of the job; 0 for a job nobody claimed
 * @param world how many ranks there are to be; 0: not known
 * @param allowed who may connect beside this machine: addresses, networks, host names; all: anybody
 */
public record OpenOrder(
    String job, int attempt, long term, int world, List<String> allowed, List<RankName> ranks) {

  public OpenOrder {
    allowed = List.copyOf(allowed);
    ranks = List.copyOf(ranks);
    if (job.isEmpty() || job.length() > 256 || job.chars().anyMatch(c -> c < 0x20)) {
      throw new IllegalArgumentException("the job's name is empty, too long or not a text");
    }
    if (attempt < 0 || world < 0) {
      throw new IllegalArgumentException("attempt and world are not below 0");
    }
  }
}
