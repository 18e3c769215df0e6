package dev.holdfast.launch.watch;

import java.util.List;

/**
 * What a rank has told of itself so far.
 *
 * @param step the last step, −1: it never told
 * @param count how often it told anything; only grows
 * @param phase the innermost phase it is in, empty: none
 * @param checkpoints how many phases of that name it ended
 * @param garbage how many lines could not be understood
 * @param fresh what was new in this look, the latest of it where there was very much
 */
public record Beats(
    long step, long count, String phase, long checkpoints, long garbage, List<Beat> fresh) {
  public static final Beats NONE = new Beats(-1, 0, "", 0, 0, List.of());

  public Beats {
    fresh = List.copyOf(fresh);
  }
}
