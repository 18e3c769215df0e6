package dev.holdfast.core.archive;

/**
 * How much an archive may hold, so that a hostile one costs a bounded amount of time and memory.
 *
 * <p>Text of a quiet machine compresses well, so a high ratio alone proves nothing: the guard
 * applies only to what unpacks to more than {@link #RATIO_FLOOR}.
 *
 * @param ratio the most that content may be larger than the archive
 */
public record ArchiveLimits(int members, int memberBytes, long totalBytes, int ratio) {
  public static final ArchiveLimits DEFAULT = new ArchiveLimits(50_000, 16 << 20, 256L << 20, 200);

  /** Content up to this size may have been compressed by any factor. */
  public static final long RATIO_FLOOR = 16L << 20;

  public ArchiveLimits {
    if (members < 1 || memberBytes < 1 || totalBytes < 1 || ratio < 1) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }

  /** The same limits with another total. */
  public ArchiveLimits total(long bytes) {
    return new ArchiveLimits(members, memberBytes, bytes, ratio);
  }

  boolean tooDense(long content, long archive) {
    return content > RATIO_FLOOR && content / ratio >= Math.max(1, archive);
  }
}
