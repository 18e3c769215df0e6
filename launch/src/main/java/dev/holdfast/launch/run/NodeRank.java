package dev.holdfast.launch.run;

import dev.holdfast.core.forensics.ErrorFile;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.launch.job.DeviceLoad;
import dev.holdfast.launch.job.RankActivity;
import dev.holdfast.launch.job.StepTime;
import dev.holdfast.launch.supervise.Event;
import dev.holdfast.launch.supervise.RankSpec;
import dev.holdfast.launch.watch.Beat;
import dev.holdfast.launch.watch.BeatReader;
import dev.holdfast.launch.watch.Beats;
import dev.holdfast.launch.watch.StepTimes;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One rank of this node in the present attempt: its process, its beats, how it ended. */
final class NodeRank {
  private static final int LAST_BYTES = 16 << 10;
  private static final int LAST_LINES = 60;
  private static final Pattern LINE = Pattern.compile("\r?\n");

  private final RankSpec spec;
  private final BeatReader reader;
  private final StepTimes stepTimes = new StepTimes();
  private final String device;
  private long pid = -1;
  private long outputBytes;
  private Beats beats = Beats.NONE;
  private @Nullable RankActivity activity;
  private Event.@Nullable Exited exit;
  private long progressMark = -1;
  private long progressNanos;

  /**
   * @param device its accelerator, empty: not known
   */
  NodeRank(RankSpec spec, String beatPattern, String device, long nowNanos) {
    this.spec = spec;
    this.device = device;
    this.reader =
        beatPattern.isEmpty()
            ? BeatReader.ofFile(Path.of(spec.folder(), "beats.jsonl"))
            : BeatReader.ofOutput(
                Path.of(spec.folder(), "stdout.log"), Pattern.compile(beatPattern));
    this.progressNanos = nowNanos;
  }

  int rank() {
    return spec.rank();
  }

  Path folder() {
    return Path.of(spec.folder());
  }

  long pid() {
    return pid;
  }

  void started(long process) {
    pid = process;
  }

  void wrote(long bytes) {
    outputBytes = bytes;
  }

  long outputBytes() {
    return outputBytes;
  }

  void exited(Event.Exited how) {
    exit = how;
  }

  Event.@Nullable Exited exit() {
    return exit;
  }

  /** What it told since the last look. */
  Beats beats() {
    beats = reader.look();
    return beats;
  }

  /** What it told, for comparison with other ranks; {@link StepTimes#told}. */
  void stepped(List<Beat> fresh, double ahead, long nowNanos) {
    stepTimes.told(fresh, ahead, nowNanos / 1e9);
  }

  List<StepTime> stepTimes() {
    return stepTimes.latest();
  }

  String device() {
    return device;
  }

  long step() {
    return beats.step();
  }

  void active(RankActivity now, long nowNanos) {
    activity = now;
    long mark = now.beats() + now.outputBytes() + Math.max(0, now.ioBytes());
    if (mark != progressMark) {
      progressMark = mark;
      progressNanos = nowNanos;
    }
  }

  JobStatus.RankStatus status(String node, long nowNanos, Map<Integer, String> waits) {
    RankActivity seen = activity;
    return new JobStatus.RankStatus(
        rank(),
        node,
        pid,
        exit != null ? "exited" : seen == null ? "starting" : String.valueOf(seen.state()),
        beats.step(),
        beats.phase(),
        seen == null ? 0 : seen.cpuSeconds(),
        exit != null ? -1 : (nowNanos - progressNanos) / 1e9,
        waits.getOrDefault(rank(), ""),
        seen == null ? DeviceLoad.NOT_KNOWN : seen.load());
  }

  /** How it ended, with what it wrote last. */
  RankEvidence evidence(String node, Event.Exited how) {
    beats = reader.look();
    List<String> lines = lastLines("stderr.log");
    Optional<ErrorFile> error =
        BoundedFile.read(folder().resolve("error.json"), ErrorFile.MAX_CHARACTERS)
            .text()
            .flatMap(ErrorFile::parse);
    return new RankEvidence(
        rank(),
        node,
        how.exitCode(),
        how.signal(),
        how.stoppedByUs(),
        how.atMillis(),
        lines.isEmpty() ? lastLines("stdout.log") : lines,
        error.map(ErrorFile::message).orElse(""),
        error.map(ErrorFile::millis).orElse(0L),
        beats.step());
  }

  private List<String> lastLines(String file) {
    String text = BoundedFile.tail(folder().resolve(file), LAST_BYTES).text().orElse("");
    List<String> lines = LINE.splitAsStream(text).filter(line -> !line.isBlank()).toList();
    return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
  }
}
