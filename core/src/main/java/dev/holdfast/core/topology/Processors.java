package dev.holdfast.core.topology;

/** Logical processors of sources that tell nothing of cores. */
final class Processors {
  private Processors() {}

  static Part single(int id) {
    return Part.of(PartKind.PU).number(id).cpus(IdSet.of(id)).build();
  }
}
