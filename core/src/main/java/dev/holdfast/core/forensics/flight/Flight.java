package dev.holdfast.core.forensics.flight;

import java.util.Map;

/**
 * What one rank's flight recorder held.
 *
 * @param version of the dump's form, empty: it does not say
 * @param library such as NCCL's version, empty: it does not say
 * @param groups by name, as the rank knows them
 * @param status by the number of a group: how far the rank is in it
 * @param partial why what follows the last entry is lost, empty: the dump is whole
 */
public record Flight(
    int rank,
    String version,
    String library,
    Map<String, Group> groups,
    Map<Integer, Status> status,
    Entries entries,
    String partial) {

  /** The last numbers of a group; collectives and point-to-point calls count alike here. */
  record Status(long enqueued, long completed) {}

  public int size() {
    return entries.size();
  }
}
