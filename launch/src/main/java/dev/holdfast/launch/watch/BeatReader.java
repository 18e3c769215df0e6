package dev.holdfast.launch.watch;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does a rank tell of itself? Follows its beat file (lines of JSON that the Python package
 * appends), any other file it touches as a sign of life, or its output, where a pattern finds the
 * step. Whatever the rank writes there, reading it is bounded and never fails.
 */
public final class BeatReader {
  private static final int MOST_FRESH = 1024;
  private static final int DEEPEST_PHASE = 8;
  private static final String CHECKPOINT = "checkpoint";

  private final LineFollower follower;
  private final Function<String, Optional<Beat>> parse;
  private final boolean touchCounts;
  private final Deque<String> phases = new ArrayDeque<>();
  private long checkpoints;
  private long step = -1;
  private long count;
  private long garbage;

  private BeatReader(Path file, Function<String, Optional<Beat>> parse, boolean touchCounts) {
    this.follower = new LineFollower(file);
    this.parse = parse;
    this.touchCounts = touchCounts;
  }

  /** Follows a beat file; one without beats in it counts each time it is changed. */
  public static BeatReader ofFile(Path file) {
    return new BeatReader(file, Beat::parse, true);
  }

  /**
   * Follows output, where each line with the pattern in it is a beat; its first group, if it has
   * one and it is a number, is the step.
   */
  public static BeatReader ofOutput(Path file, Pattern pattern) {
    return new BeatReader(file, line -> find(pattern, line), false);
  }

  /** What was told until now. */
  public Beats look() {
    LineFollower.Look look = follower.look();
    List<Beat> fresh = new ArrayList<>();
    int understood = 0;
    for (String line : look.lines()) {
      Optional<Beat> beat = parse.apply(line);
      if (beat.isEmpty()) {
        garbage++;
        continue;
      }
      understood++;
      apply(beat.get());
      fresh.add(beat.get());
    }
    count += understood;
    if (touchCounts && understood == 0 && look.changed()) {
      count++;
    }
    int left = Math.max(0, fresh.size() - MOST_FRESH);
    return new Beats(
        step,
        count,
        phases.isEmpty() ? "" : phases.getLast(),
        checkpoints,
        touchCounts ? garbage : 0,
        fresh.subList(left, fresh.size()));
  }

  private void apply(Beat beat) {
    if (beat.step() >= 0) {
      step = beat.step();
    }
    switch (beat.event()) {
      case BEGIN -> {
        if (!beat.phase().equals(phases.peekLast()) && phases.size() < DEEPEST_PHASE) {
          phases.addLast(beat.phase());
        }
      }
      case END, FAILED -> {
        boolean saved = beat.event() == Beat.Event.END && beat.phase().equals(CHECKPOINT);
        checkpoints += saved ? 1 : 0;
        if (beat.phase().isEmpty() || !phases.removeLastOccurrence(beat.phase())) {
          phases.pollLast();
        }
      }
      case NONE -> {}
    }
  }

  private static Optional<Beat> find(Pattern pattern, String line) {
    try {
      Matcher matcher = pattern.matcher(new PatientText(line, 200_000));
      if (!matcher.find()) {
        return Optional.empty();
      }
      String found = matcher.groupCount() > 0 ? matcher.group(1) : null;
      return Optional.of(Beat.ofStep(step(found == null ? "" : found)));
    } catch (PatientText.Exhausted tooLong) {
      return Optional.empty();
    }
  }

  /** The number, −1 when it is none. */
  private static long step(String text) {
    boolean number = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; number && i < text.length(); i++) {
      number = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return number ? Long.parseLong(text) : -1;
  }
}
