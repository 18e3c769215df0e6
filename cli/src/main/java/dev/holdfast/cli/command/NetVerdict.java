package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.Judgement;
import dev.holdfast.core.network.NetDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * Is what was just measured enough? By what such nodes should give, by a limit, by the baseline.
 */
final class NetVerdict {
  @Mixin private ExpectChoice expect = new ExpectChoice();

  @Mixin private FailBelow failBelow = new FailBelow();

  @Mixin private AgentReport report = new AgentReport();

  private @Nullable LedgerRun baseline;

  /**
   * What the figures come to.
   *
   * @param losses what is too little, a sentence each
   * @param impossible why they cannot be judged; they are printed all the same
   */
  record Judged(
      List<Judgement> judgements, List<String> losses, Optional<HoldfastException> impossible) {
    static final Judged NOTHING = new Judged(List.of(), List.of(), Optional.empty());

    /** Complains once the figures are printed. */
    void require() {
      impossible.ifPresent(
          it -> {
            throw it;
          });
    }
  }

  /**
   * Complains before anything is measured.
   *
   * @param elsewhere whether ranks run on other hosts
   * @param timed only times are measured, and no bandwidth
   */
  void prepare(LedgerChoice ledger, boolean elsewhere, boolean timed) {
    report.requireHere(elsewhere);
    report.require(expect.asked() || failBelow.asked(), "--expect or --fail-below");
    expect.require();
    failBelow.require();
    if (failBelow.asked() && !failBelow.relative() && timed) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--fail-below: what moves no bytes has no GB/s; give a share of the baseline, such as"
              + " 0.9x");
    }
    if (failBelow.relative()) {
      baseline = ledger.find(BenchBaselineCommand.DEFAULT);
    }
  }

  boolean listing() {
    return expect.listing();
  }

  Judged judge(LedgerRun run) {
    try {
      List<Judgement> judgements = expect.asked() ? expect.judge(run) : List.of();
      List<String> losses = new ArrayList<>();
      judgements.stream().filter(it -> !it.good()).map(Judgement::words).forEach(losses::add);
      failBelow.loss(diff(run), run).ifPresent(losses::add);
      return new Judged(judgements, losses, Optional.empty());
    } catch (HoldfastException cannot) {
      return new Judged(List.of(), List.of(), Optional.of(cannot));
    }
  }

  private Optional<NetDiff> diff(LedgerRun run) {
    if (baseline == null) {
      return Optional.empty();
    }
    NetDiff diff = NetDiff.between(baseline.results(), run.results());
    if (diff.rows().isEmpty()) {
      throw new HoldfastException(
          ErrorCode.BAD_RESULTS, "the baseline " + baseline.id() + " measured nothing of this");
    }
    return Optional.of(diff);
  }

  void tell(LedgerRun run, List<String> losses, Console console) {
    report.tell(run, losses, console);
  }
}
