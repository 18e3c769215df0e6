package dev.holdfast.core.forensics.flight;

import java.util.Arrays;

/**
 * A process group: ranks that communicate under one count of collectives.
 *
 * @param id ours, from 0
 * @param role what the program calls it, such as TENSOR_MODEL_PARALLEL_GROUP; groups with the same
 *     role do the same for other ranks
 * @param members global ranks in the order of the group, empty: not told
 */
record Group(int id, String name, String role, int[] members) {

  /** The global rank of a member by its place in the group; the place where nothing is told. */
  int member(int place) {
    return place < members.length ? members[place] : place;
  }

  String text() {
    return role.isEmpty() || role.equals("undefined") ? "group " + name : role + " (" + name + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Group group && group.id == id;
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return text() + Arrays.toString(members);
  }
}
