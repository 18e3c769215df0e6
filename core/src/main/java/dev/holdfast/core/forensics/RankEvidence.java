package dev.holdfast.core.forensics;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how one rank ended or stands.
 *
 * @param exitCode −1: it did not exit by itself
 * @param signal the signal that ended it; 0: none
 * @param stoppedByUs whether we had asked it to end before it did: then it is no culprit
 * @param atMillis when it ended or was looked at, since 1970
 * @param lastLines the last lines of its error stream, or of its output where that is empty
 * @param errorMessage what its torch error file says, empty: none
 * @param errorMillis when the error file says it happened, 0: it does not say
 * @param step the last step it told of, −1: none
 */
public record RankEvidence(
    int rank,
    String node,
    int exitCode,
    int signal,
    boolean stoppedByUs,
    long atMillis,
    List<String> lastLines,
    String errorMessage,
    long errorMillis,
    long step) {

  /** ILL, BUS, FPE, KILL, SEGV. */
  private static final Set<Integer> OWN_SIGNALS = Set.of(4, 7, 8, 9, 11);

  public RankEvidence {
    lastLines = List.copyOf(lastLines);
  }

  /**
   * Whether no other rank can be behind it: the kernel, somebody outside or its own code ended it.
   * A rank that lost its peers aborts or exits with an error, and then it is worth waiting for what
   * they have to say.
   */
  public boolean byItself() {
    return !stoppedByUs && OWN_SIGNALS.contains(signal);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "rank",
        rank,
        "node",
        node,
        "exitCode",
        exitCode,
        "signal",
        signal,
        "stoppedByUs",
        stoppedByUs,
        "atMillis",
        atMillis,
        "lastLines",
        lastLines,
        "errorMessage",
        errorMessage.isEmpty() ? null : errorMessage,
        "errorMillis",
        errorMillis,
        "step",
        step);
  }

  public static RankEvidence of(Fields fields) {
    return new RankEvidence(
        fields.integer("rank"),
        fields.text("node"),
        fields.integer("exitCode"),
        fields.integer("signal"),
        fields.flag("stoppedByUs"),
        fields.number("atMillis"),
        fields.texts("lastLines"),
        fields.text("errorMessage", ""),
        fields.number("errorMillis", 0),
        fields.number("step", -1));
  }
}
