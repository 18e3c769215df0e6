package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.SxidEntry;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.kernel.XidEntry;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Limit;
import dev.holdfast.doctor.contract.Contracts;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What does this code, Xid or check mean, and what is to be done? */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Say what an error code, an Xid or a check means and what to do.",
    footer = {
      "",
      "Examples:",
      "  holdfast explain HF-1102",
      "  holdfast explain xid 79",
      "  holdfast explain sxid 20034",
      "  holdfast explain 'NVRM: Xid (PCI:0000:61:00): 79, pid=1'",
      "  holdfast explain gpu.ecc.uncorrected",
      "  holdfast explain nccl 'Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7'",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final int LABEL = 12;

  /** {@code xid 79}, {@code Xid79}, and the line of the kernel log as it was pasted. */
  private static final Pattern EVENT =
      Pattern.compile("\\b(s?xid)(?:\\s*\\(pci:[^)]*\\))?[\\s:=-]*(\\d{1,9})\\b");

  private final Console console;

  @Parameters(
      paramLabel = "WORD",
      arity = "0..*",
      description =
          "HF-nnnn, xid N, sxid N, a check, a group, a line of the kernel log with an Xid, nccl and a"
              + " line a rank wrote.")
  private List<String> words = List.of();

  @Option(names = "--list", description = "List every check, error code and Xid known.")
  private boolean list;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (list) {
      listAll();
      return 0;
    }
    String asked = String.join(" ", words).strip();
    String word = asked.toLowerCase(Locale.ROOT);
    Matcher event = EVENT.matcher(word);
    if (event.find()) {
      event(event.group(1), event.group(2));
    } else if (word.startsWith("nccl ")) {
      said(asked.substring(5).strip());
    } else if (word.startsWith("hf-")) {
      ErrorCode.find(word).ifPresentOrElse(this::error, () -> nothing(asked));
    } else {
      checks()
          .map(Check::info)
          .filter(info -> info.id().equals(word))
          .findFirst()
          .ifPresentOrElse(this::check, () -> group(asked, word));
    }
    return 0;
  }

  private void event(String kind, String number) {
    int code = code(number);
    if (kind.equals("sxid")) {
      SxidCatalogue.find(code).ifPresentOrElse(this::sxid, () -> nothing("SXid " + number));
    } else {
      XidCatalogue.find(code).ifPresentOrElse(this::xid, () -> nothing("Xid " + number));
    }
  }

  /** A group such as {@code gpu} or {@code gpu.ecc} is answered with its checks. */
  private void group(String asked, String word) {
    List<CheckInfo> members =
        checks().map(Check::info).filter(info -> info.id().startsWith(word + ".")).toList();
    if (members.isEmpty()) {
      nothing(asked);
    }
    members.forEach(info -> row(info.id(), info.question()));
  }

  /** The checks of a node, then those of container images. */
  private static Stream<Check> checks() {
    return Stream.concat(
        Checks.all().stream(),
        Contracts.names().stream().flatMap(name -> Contracts.of(name).stream()));
  }

  /** A line of a rank, by the rules that also judge a failed run. */
  private void said(String line) {
    RankEvidence evidence = new RankEvidence(0, "", -1, 0, false, 0, List.of(line), line, 0, -1);
    FailureRule rule = FailureRules.classify(evidence).rule();
    if (rule == null) {
      throw new HoldfastException(
          ErrorCode.NOTHING_KNOWN, "no rule fits '" + Wrap.cut(line, 80) + "'");
    }
    title(rule.id(), rule.kind().word());
    field("means", rule.meaning());
    field("do", rule.remedy());
    field("whose", rule.blame().name().toLowerCase(Locale.ROOT));
    field("again", "another attempt: " + rule.retry().name().toLowerCase(Locale.ROOT));
    field("proven", rule.proof());
  }

  private static int code(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new HoldfastException(
          ErrorCode.NOTHING_KNOWN, "'" + digits + "' is not the number of a code", e);
    }
  }

  private static void nothing(String word) {
    if (word.isBlank()) {
      throw new HoldfastException(ErrorCode.NOTHING_KNOWN, "nothing was asked");
    }
    List<String> ids = checks().map(check -> check.info().id()).toList();
    throw new HoldfastException(
        ErrorCode.NOTHING_KNOWN,
        "nothing is known of '%s'%s".formatted(word, Nearest.hint(word, ids)));
  }

  private void xid(XidEntry entry) {
    title("Xid " + entry.code(), entry.name());
    field("means", entry.meaning());
    field("severity", entry.severity().word() + ", " + entry.faultClass().word());
    field("now", entry.now().phrase());
    field("later", entry.later().phrase());
    field("do", entry.remedy());
    field("NVIDIA says", join(entry.vendorNow(), entry.vendorLater()));
    field("we differ", entry.why());
    field("applies to", entry.drivers());
    field("source", entry.source());
  }

  private static String join(String now, String later) {
    return later.isEmpty() ? now : now + ", later " + later;
  }

  private void sxid(SxidEntry entry) {
    title("SXid " + entry.code(), entry.name());
    field("means", entry.meaning());
    field("severity", entry.severity().word() + ", " + entry.faultClass().word());
    field("reach", entry.scope());
    field("now", entry.now().phrase());
    field("do", entry.remedy());
    field("source", entry.source());
  }

  private void error(ErrorCode error) {
    title(error.code(), error.what());
    field("do", error.remedy());
    field("kind", error.kind().word() + " (exit code " + error.kind().exitCode() + ")");
  }

  private void check(CheckInfo info) {
    title(info.id(), info.question());
    field("why", info.meaning());
    field("fix", info.remedy());
    field("level", info.level().word() + ", class " + info.faultClass().word());
    field("proven", info.proof().word());
    field("needs", info.needs().words());
    field("reads", String.join(", ", info.reads()));
    for (Limit limit : info.limits()) {
      field(
          "limit",
          "%s = %s %s (%s)"
              .formatted(limit.name(), plain(limit.value()), limit.unit(), limit.source()));
    }
  }

  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private void listAll() {
    checks().forEach(check -> row(check.info().id(), check.info().question()));
    for (ErrorCode error : ErrorCode.values()) {
      row(error.code(), error.what());
    }
    XidCatalogue.entries().forEach(entry -> row("xid " + entry.code(), entry.name()));
    SxidCatalogue.entries().forEach(entry -> row("sxid " + entry.code(), entry.name()));
  }

  private void row(String name, String what) {
    console.answer("%-36s %s\n".formatted(name, what));
  }

  private void title(String name, String what) {
    console.answer(console.style().bold(name) + "  " + what + "\n");
  }

  private void field(String label, String text) {
    if (!text.isBlank()) {
      console.answer(
          console.style().dim("  %-11s".formatted(label))
              + " "
              + Wrap.hanging(text, LABEL + 2, console.width())
              + "\n");
    }
  }
}
