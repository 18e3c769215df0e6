package dev.holdfast.core.topology.bind;

import java.util.List;

/**
 * How good a layout is, from 0 to 100, and why.
 *
 * <p>Each rank gets the mean of up to five marks, the layout the mean of its ranks:
 *
 * <ol>
 *   <li>the share of its CPUs that are on a NUMA node local to its GPUs;
 *   <li>the share of its cores that no other rank may run on;
 *   <li>how near its adapters are to its GPUs, against the nearest usable one there is (PIX 1, PXB
 *       0.95, PHB 0.7, NODE 0.6, SYS 0.2); an adapter that ranks should not use counts 0;
 *   <li>whether its adapters have more GPUs than their share: the share divided by what they have;
 *   <li>the share of its memory that is local to its GPUs; memory that is not bound is taken where
 *       the rank runs, so it counts as the CPUs do.
 * </ol>
 *
 * A mark that cannot be given is left out: places that the source does not tell, adapters that are
 * not there. Where adapters are left to NCCL, those of the plan count: it looks at the PCI tree
 * itself and comes to the nearest ones too.
 *
 * @param points the whole, 0 to 100
 * @param marks what it is made of
 */
public record Score(int points, List<Mark> marks) {
  public Score {
    if (points < 0 || points > 100) {
      throw new IllegalArgumentException("points: " + points + " is not in 0-100");
    }
    marks = List.copyOf(marks);
  }

  /**
   * One mark, as the mean over the ranks it can be given to.
   *
   * @param name what is judged, for people: {@code CPUs local to the GPU}
   * @param points 0 to 100
   */
  public record Mark(String name, int points) {}
}
