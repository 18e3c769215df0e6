package dev.holdfast.launch.job;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import java.util.List;
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
 * @param waitsIn the function of the kernel its main thread sleeps in ("futex_do_wait"), empty: it
 *     does not sleep, or not known
 * @param load of its device
 * @param collective the last collective it began, as its flight recorder says; −1: not known
 * @param checkpoints how many it said it completed in this attempt
 * @param stepTimes when it told of its latest steps, a few of them, for comparison with others
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
    String waitsIn,
    DeviceLoad load,
    long collective,
    long checkpoints,
    List<StepTime> stepTimes) {
  private static final int MOST_TIMES = 8;

  public RankActivity {
    int many = stepTimes.size();
    stepTimes = List.copyOf(stepTimes.subList(Math.max(0, many - MOST_TIMES), many));
  }

  /** As far as the kernel and the rank's own words tell. */
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
      String waitsIn) {
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
        waitsIn,
        DeviceLoad.NOT_KNOWN,
        -1,
        0,
        List.of());
  }

  /** The same rank, which completed so many checkpoints. */
  public RankActivity saved(long complete) {
    return with(waitsFor, load, collective, complete, stepTimes);
  }

  /** The same rank, known to wait for a key at the store. */
  public RankActivity waiting(String key) {
    return with(key, load, collective, checkpoints, stepTimes);
  }

  /** The same rank with what is known of its device, its collectives and its pace. */
  public RankActivity with(DeviceLoad device, long lastCollective, List<StepTime> times) {
    return with(waitsFor, device, lastCollective, checkpoints, times);
  }

  /** The same rank, its times by a clock that is ahead of its node's by so much. */
  public RankActivity shifted(double seconds) {
    return stepTimes.isEmpty()
        ? this
        : with(
            waitsFor,
            load,
            collective,
            checkpoints,
            stepTimes.stream().map(t -> new StepTime(t.step(), t.seconds() + seconds)).toList());
  }

  private RankActivity with(
      String key, DeviceLoad device, long lastCollective, long complete, List<StepTime> times) {
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
        waitsIn,
        device,
        lastCollective,
        complete,
        times);
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
        "waitsIn",
        waitsIn.isEmpty() ? null : waitsIn,
        "device",
        load.device().isEmpty() ? null : load.device(),
        "devicePercent",
        load.percent() < 0 ? null : load.percent(),
        "deviceBytes",
        load.bytes() < 0 ? null : load.bytes(),
        "collective",
        collective < 0 ? null : collective,
        "checkpoints",
        checkpoints == 0 ? null : checkpoints,
        "stepTimes",
        stepTimes.isEmpty()
            ? null
            : stepTimes.stream().map(t -> Json.map("step", t.step(), "at", t.seconds())).toList());
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
        fields.text("waitsIn", ""),
        new DeviceLoad(
            fields.text("device", ""),
            fields.integer("devicePercent", -1),
            fields.number("deviceBytes", -1)),
        fields.number("collective", -1),
        fields.number("checkpoints", 0),
        fields.objects("stepTimes").stream()
            .map(t -> new StepTime(t.number("step"), t.decimal("at", Double.NaN)))
            .toList());
  }
}
