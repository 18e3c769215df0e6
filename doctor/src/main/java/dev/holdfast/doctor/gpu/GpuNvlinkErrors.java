package dev.holdfast.doctor.gpu;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.accelerator.Accelerator;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.history.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Links that work but have to repeat themselves. Counted per GPU, since the history must stay
 * small; the link with the highest count is named.
 */
public final class GpuNvlinkErrors implements Check {
  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final String RECOVERIES = "errors.recovery";
  private static final String REPLAYS = "errors.replay";
  private static final String CHECKSUMS = "errors.crc";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "gpu.nvlink.errors",
              "Do NVLinks have to repeat packets or recover?",
              FaultClass.HARDWARE,
              Proof.DOCUMENTED)
          .reads("nvml nvlink.*.errors.*", "history")
          .meaning(
              "Each recovery stops the link for a moment and with it every collective across it;"
                  + " many of them announce a link that goes down.")
          .remedy(
              "nvidia-smi nvlink --errorcounters; drain the node, reset all GPUs; if it comes back,"
                  + " have the module or cable reseated")
          .limit("recoveries", 1, "a minute", "DCGM: one more within a minute is a failure")
          .limit("replays", 1, "a minute", "DCGM: one more within a minute is a failure")
          .limit("checksums", 100, "a second", "DCGM: a failure from 100 a second");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    List<Accelerator> linked =
        exam.accelerators().require().stream()
            .filter(device -> !Links.of(device).up().isEmpty())
            .toList();
    if (linked.isEmpty()) {
      exam.skip("no accelerator here has NVLinks it reports on");
      return;
    }
    Survey.of(exam, linked, "no rate of errors", device -> answer(exam, device));
  }

  private static Survey.Answer answer(Examination exam, Accelerator device) {
    boolean known = true;
    for (String counter : List.of(RECOVERIES, REPLAYS, CHECKSUMS)) {
      long total = total(device, counter);
      Optional<Change> change = exam.change(device.counter("nvlink." + counter), total, WINDOW);
      if (change.filter(c -> tell(exam, device, counter, c)).isPresent()) {
        return Survey.Answer.TOLD;
      }
      known &= change.isPresent() || total == 0;
    }
    if (!known) {
      exam.needsHistory();
    }
    return known ? Survey.Answer.GOOD : Survey.Answer.TOLD;
  }

  /** Older drivers count checksum errors of headers and data apart. */
  private static long total(Accelerator device, String counter) {
    long apart =
        counter.equals(CHECKSUMS)
            ? Links.total(device, "errors.crc.flit") + Links.total(device, "errors.crc.data")
            : 0;
    return Math.max(apart, Links.total(device, counter));
  }

  private static boolean tell(Examination exam, Accelerator device, String counter, Change change) {
    Severity severity;
    String what;
    if (counter.equals(CHECKSUMS) && change.perSecond() >= exam.limit("checksums")) {
      severity = Severity.FATAL;
      what = "checksum errors";
    } else if (counter.equals(RECOVERIES) && change.increase() > 0) {
      boolean often = change.perMinute() >= exam.limit("recoveries");
      severity = often ? Severity.DEGRADED : Severity.WARNING;
      what = "recoveries";
    } else if (counter.equals(REPLAYS) && change.perMinute() >= exam.limit("replays")) {
      severity = Severity.DEGRADED;
      what = "repeated packets";
    } else {
      return false;
    }
    int worst = Links.worst(device, counter);
    String fact = "nvlink." + worst + "." + counter;
    exam.draft(
            device,
            severity,
            "%d %s on its NVLinks within %s, most on link %d"
                .formatted(change.increase(), what, Durations.show(change.elapsed()), worst))
        .evidence(device.source(fact), device.text(fact).orElse(""))
        .evidence("all links", total(device, counter));
    return true;
  }
}
