package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.explain.Answer;
import dev.holdfast.cli.explain.Explainer;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.network.CompletionStatus;
import dev.holdfast.core.text.Wrap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What does this code, name, line or traceback mean, and what is to be done? */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Say what a code, a number or a pasted line means and what to do.",
    footer = {
      "",
      "A line of a kernel log is decoded as doctor does it, what a rank wrote is judged by the rules of run",
      "and diagnose. When several things are known, the surest comes first. A whole log: holdfast diagnose.",
      "",
      "Examples:",
      "  holdfast explain 79                      a number: in which tables it stands",
      "  holdfast explain xid 79                  also: sxid 20034, exit 137, signal 9, status 12, errno 28",
      "  holdfast explain -9                      as Python and torchrun tell of a signal; SIGBUS, too",
      "  holdfast explain 'NVRM: Xid (PCI:0000:61:00): 79, pid=1'",
      "  holdfast explain 'NET/IB : Got completion from peer 10.0.0.2<40> with status=12 opcode=0'",
      "  holdfast explain HF-1102                 also: a check, a group such as gpu.ecc, IBV_WC_RETRY_EXC_ERR",
      "  tail -50 train.err | holdfast explain -  lines from standard input",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final int LABEL = 12;
  private static final int MOST_ANSWERS = 3;

  /** Of standard input; more belongs to diagnose. */
  private static final int MOST_INPUT = 1 << 20;

  private final Console console;

  @Parameters(
      paramLabel = "WORD",
      arity = "0..*",
      description =
          "A code, a number, a name, or text as it was written; - reads standard input (1 MiB).")
  private List<String> words = List.of();

  @Option(names = "--list", description = "List every check, error code and code known.")
  private boolean list;

  /** Answers stand apart from each other. */
  private boolean told;

  private ExplainCommand(Console console) {
    this.console = console;
  }

  /** What begins with a hyphen and is no option is asked about, too: {@code explain -9}. */
  static CommandLine commandLine(Console console) {
    return new CommandLine(new ExplainCommand(console))
        .setUnmatchedOptionsArePositionalParams(true);
  }

  @Override
  public Integer call() {
    if (list) {
      listAll();
      return 0;
    }
    List<Answer> known = Explainer.of(asked());
    List<Answer> answers = known.stream().filter(one -> !one.fields().isEmpty()).toList();
    answers.stream().limit(MOST_ANSWERS).forEach(this::tell);
    known.stream()
        .filter(one -> one.fields().isEmpty())
        .forEach(one -> row(one.name(), one.what()));
    if (answers.size() > MOST_ANSWERS) {
      console.message(
          "%d more things are known of it; holdfast diagnose FILE says what began it"
              .formatted(answers.size() - MOST_ANSWERS));
    }
    return 0;
  }

  /** Words of one line; arguments that are lines themselves stay lines. */
  private String asked() {
    if (words.equals(List.of("-"))) {
      return input();
    }
    boolean lines = words.size() > 1 && words.stream().allMatch(word -> word.contains(" "));
    return String.join(lines ? "\n" : " ", words);
  }

  private String input() {
    try {
      byte[] read = System.in.readNBytes(MOST_INPUT);
      if (read.length == MOST_INPUT) {
        console.message("only the first MiB was read; holdfast diagnose - reads all of it");
      }
      return new String(read, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "standard input: " + unreadable.getMessage(), unreadable);
    }
  }

  private void tell(Answer answer) {
    console.answer(told ? "\n" : "");
    told = true;
    console.answer(
        console.style().bold(answer.name())
            + "  "
            + Wrap.hanging(answer.what(), answer.name().length() + 2, console.width())
            + "\n");
    for (Answer.Field field : answer.fields()) {
      console.answer(
          console.style().dim("  %-11s".formatted(field.label()))
              + " "
              + Wrap.hanging(field.text(), LABEL + 2, console.width())
              + "\n");
    }
  }

  private void listAll() {
    Explainer.checks().forEach(info -> row(info.id(), info.question()));
    for (ErrorCode error : ErrorCode.values()) {
      row(error.code(), error.what());
    }
    XidCatalogue.entries().forEach(entry -> row("xid " + entry.code(), entry.name()));
    SxidCatalogue.entries().forEach(entry -> row("sxid " + entry.code(), entry.name()));
    Signal.entries().forEach(entry -> row("signal " + entry.number(), entry.name()));
    CompletionStatus.entries().forEach(entry -> row("status " + entry.number(), entry.name()));
  }

  private void row(String name, String what) {
    console.answer("%-36s %s\n".formatted(name, what));
  }
}
