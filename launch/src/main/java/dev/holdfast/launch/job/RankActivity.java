package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one rank is at one moment: what its node's launcher sees of it and sends to the leader about
 * once a second. Counters only grow while the process lives; what is not known is below zero.
 *
 * @param state the kernel's letter for the main process: R, S, D, T (stopped), t (traced), Z; D
 *     also when another process or thread of the rank is stuck in the kernel
 * @param cpuSeconds CPU time of the rank and its descendants since they started
 * @param ioBytes bytes the rank and its descendants read and wrote, whatever the kind of file
 * @param outputBytes bytes of standard output and error
 * @param step the last step the rank told of, −1: it never told
 * @param beats how often it told of a step or of a sign of life
 * @param phase what it says it does ("checkpoint"), empty: nothing special
 * @param waitsFor the key it waits for at the store, empty: none
 * @param gpuPercent utilisation of its device, −1: not known
 * @param waitsIn the function of the kernel its main thread sleeps in ("futex_do_wait"), empty: it
 *     does not sleep, or not known
 */
public record RankActivity(
    int rank,
    long pid,
    char state,
    double cpuSeconds,
    long ioBytes,
    long outputBytes,
    long step,
    long beats,
    String phase,
    String waitsFor,
    int gpuPercent,
    String waitsIn) {

  /** Without knowing where in the kernel the main thread sleeps. */
  public RankActivity(
      int rank,
      long pid,
      char state,
      double cpuSeconds,
      long ioBytes,
      long outputBytes,
      long step,
      long beats,
      String phase,
      String waitsFor,
      int gpuPercent) {
    this(
        rank,
        pid,
        state,
        cpuSeconds,
        ioBytes,
        outputBytes,
        step,
        beats,
        phase,
        waitsFor,
        gpuPercent,
        "");
  }

  /** The same rank, known to wait for a key at the store. */
  public RankActivity waiting(String key) {
    return new RankActivity(
        rank,
        pid,
        state,
        cpuSeconds,
        ioBytes,
        outputBytes,
        step,
        beats,
        phase,
        key,
        gpuPercent,
        waitsIn);
  }

  public Map<String, @Nullable Object> json() {
    return Json.map(
        "rank",
        rank,
        "pid",
        pid,
        "state",
        String.valueOf(state),
        "cpuSeconds",
        cpuSeconds,
        "ioBytes",
        ioBytes,
        "outputBytes",
        outputBytes,
        "step",
        step,
        "beats",
        beats,
        "phase",
        phase.isEmpty() ? null : phase,
        "waitsFor",
        waitsFor.isEmpty() ? null : waitsFor,
        "gpuPercent",
        gpuPercent,
        "waitsIn",
        waitsIn.isEmpty() ? null : waitsIn);
  }

  public static RankActivity of(Fields fields) {
    String state = fields.text("state");
    return new RankActivity(
        fields.integer("rank"),
        fields.number("pid"),
        state.isEmpty() ? '?' : state.charAt(0),
        fields.decimal("cpuSeconds", -1),
        fields.number("ioBytes", -1),
        fields.number("outputBytes", -1),
        fields.number("step", -1),
        fields.number("beats", -1),
        fields.text("phase", ""),
        fields.text("waitsFor", ""),
        fields.integer("gpuPercent", -1),
        fields.text("waitsIn", ""));
  }
}
