package dev.holdfast.core.topology;

import java.util.Locale;
import java.util.Optional;

/**
 * What lies between two devices, nearest first: the words of {@code nvidia-smi topo -m}. Everything
 * up to {@link #PXB} stays below one root port and never touches the processor.
 */
public enum Link {
  /** The same device. */
  SELF("X", "the same device"),
  NV("NV", "NVLink"),
  PIX("PIX", "at most one PCIe bridge"),
  PXB("PXB", "several PCIe bridges, not the host bridge"),
  PHB("PHB", "the host bridge of one root complex"),
  NODE("NODE", "two host bridges of one NUMA node"),
  SYS("SYS", "the link between NUMA nodes or sockets"),
  /** The source does not say where one of the two is. */
  UNKNOWN("?", "unknown: the source does not say where one of the two is");

  private final String word;
  private final String meaning;

  Link(String word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** Reads a cell of the matrix; {@code NV12} is {@link #NV}. */
  public static Optional<Link> parse(String cell) {
    String text = cell.strip().toUpperCase(Locale.ROOT);
    if (text.matches("NV[0-9]{1,3}")) {
      return Optional.of(NV);
    }
    for (Link link : values()) {
      if (link.word.equals(text) && link != NV && link != UNKNOWN) {
        return Optional.of(link);
      }
    }
    return Optional.empty();
  }

  public String word() {
    return word;
  }

  public String meaning() {
    return meaning;
  }

  /** Whether traffic stays below one PCIe switch (or on NVLink), away from the processor. */
  public boolean switched() {
    return compareTo(PXB) <= 0;
  }

  public Link nearest(Link other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
