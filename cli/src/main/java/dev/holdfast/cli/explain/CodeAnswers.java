package dev.holdfast.cli.explain;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.forensics.ErrorNumber;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.SxidEntry;
import dev.holdfast.core.kernel.XidEntry;
import dev.holdfast.core.network.CompletionStatus;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Limit;
import java.util.List;
import java.util.Optional;

/** What the tables say of a code. */
final class CodeAnswers {
  private static final int MOST_EXIT_CODE = 255;

  private CodeAnswers() {}

  static Answer of(XidEntry entry) {
    return Answer.of("Xid " + entry.code(), entry.name())
        .with("now", entry.now().phrase())
        .with("do", entry.remedy())
        .with("later", entry.later().phrase())
        .with("means", entry.meaning())
        .with("severity", entry.severity().word() + ", " + entry.faultClass().word())
        .with("NVIDIA says", vendor(entry))
        .with("we differ", entry.why())
        .with("applies to", entry.drivers())
        .with("source", entry.source());
  }

  static String vendor(XidEntry entry) {
    return entry.vendorLater().isEmpty()
        ? entry.vendorNow()
        : entry.vendorNow() + ", later " + entry.vendorLater();
  }

  static Answer of(SxidEntry entry) {
    return Answer.of("SXid " + entry.code(), entry.name())
        .with("now", entry.now().phrase())
        .with("do", entry.remedy())
        .with("means", entry.meaning())
        .with("severity", entry.severity().word() + ", " + entry.faultClass().word())
        .with("reach", entry.scope())
        .with("source", entry.source());
  }

  static Answer of(CompletionStatus status) {
    return Answer.of("status " + status.number(), status.name() + ": " + status.text())
        .with("do", status.remedy())
        .with("means", status.meaning())
        .with("look at", status.blame().equals("none") ? "" : status.blame())
        .with("source", status.source());
  }

  static Answer of(Signal signal) {
    return Answer.of("signal " + signal.number(), signal.name())
        .with("do", signal.remedy())
        .with("means", signal.meaning())
        .with(
            "also",
            "exit code "
                + (Signal.SHELL + signal.number())
                + " of a shell, -"
                + signal.number()
                + " of Python and torchrun")
        .with("source", signal.source());
  }

  static Answer of(ErrorNumber error) {
    return Answer.of("errno " + error.number(), error.name() + ": " + error.text())
        .with("means", error.meaning())
        .with("source", error.source());
  }

  static Answer of(ErrorCode error) {
    return Answer.of(error.code(), error.what())
        .with("do", error.remedy())
        .with("kind", error.kind().word() + " (exit code " + error.kind().exitCode() + ")");
  }

  static Answer of(CheckInfo info) {
    Answer answer =
        Answer.of(info.id(), info.question())
            .with("fix", info.remedy())
            .with("why", info.meaning())
            .with("level", info.level().word() + ", class " + info.faultClass().word())
            .with("proven", info.proof().word())
            .with("needs", info.needs().words())
            .with("reads", String.join(", ", info.reads()));
    for (Limit limit : info.limits()) {
      answer =
          answer.with(
              "limit",
              "%s = %s %s (%s)"
                  .formatted(limit.name(), plain(limit.value()), limit.unit(), limit.source()));
    }
    return answer;
  }

  /**
   * What a launcher or a shell reports of a process that ended.
   *
   * @param line what it said; empty: it is not known
   */
  static Answer of(FailureRule rule, String line) {
    return Answer.of(rule.kind().word(), rule.meaning())
        .with("do", rule.remedy())
        .with("line", line)
        .with("whose", whose(rule.blame()))
        .with("again", again(rule.retry()))
        .with("rule", rule.id() + ", " + rule.proof());
  }

  private static String whose(FailureRule.Blame blame) {
    return switch (blame) {
      case RANK -> "this rank: its GPU, its node or the code there";
      case NODE -> "this node";
      case CODE -> "the program or its configuration";
      case NOBODY -> "nobody in the job";
      case PEER -> "another rank: this one only noticed";
    };
  }

  private static String again(FailureRule.Retry retry) {
    return switch (retry) {
      case YES -> "another attempt may help";
      case ONCE -> "one more attempt may help, not after the same again";
      case NO -> "another attempt ends the same";
    };
  }

  /** An exit code; more than 128 a shell says of signals, less than nothing Python does. */
  static Optional<Answer> exit(int code) {
    if (code == 0) {
      return Optional.of(Answer.of("exit 0", "it ended well"));
    }
    int number = code < 0 ? -code : code - Signal.SHELL;
    Optional<Signal> signal = Signal.find(number);
    if (signal.isPresent()) {
      Signal by = signal.get();
      return Optional.of(
          Answer.of("exit " + code, "ended by signal " + number + " (" + by.name() + ")")
              .with("do", by.remedy())
              .with("means", by.meaning())
              .with("source", by.source()));
    }
    RankEvidence ended = new RankEvidence(0, "", code, 0, false, 0, List.of(), "", 0, -1);
    FailureRule rule = FailureRules.classify(ended).rule();
    return code < 0 || code > MOST_EXIT_CODE || rule == null
        ? Optional.empty()
        : Optional.of(
            Answer.of("exit " + code, rule.meaning())
                .with("do", rule.remedy())
                .with("again", again(rule.retry())));
  }

  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
