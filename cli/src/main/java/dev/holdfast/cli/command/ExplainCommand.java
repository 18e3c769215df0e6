package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
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
      "  holdfast explain gpu.ecc.uncorrected",
    })
final class ExplainCommand implements Callable<Integer> {
  private static final int LABEL = 12;

  private final Console console;

  @Parameters(paramLabel = "WORD", arity = "0..2", description = "HF-nnnn, xid N, sxid N, a check.")
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
    String first = words.isEmpty() ? "" : words.getFirst().toLowerCase(Locale.ROOT);
    String number = words.size() == 2 ? words.get(1) : first.replaceFirst("^s?xid[-:=]?", "");
    if (first.startsWith("xid")) {
      XidCatalogue.find(code(number)).ifPresentOrElse(this::xid, () -> nothing("Xid " + number));
    } else if (first.startsWith("sxid")) {
      SxidCatalogue.find(code(number)).ifPresentOrElse(this::sxid, () -> nothing("SXid " + number));
    } else if (first.startsWith("hf-")) {
      ErrorCode.find(first).ifPresentOrElse(this::error, () -> nothing(words.getFirst()));
    } else {
      checks()
          .map(Check::info)
          .filter(info -> info.id().equals(first))
          .findFirst()
          .ifPresentOrElse(this::check, () -> nothing(String.join(" ", words)));
    }
    return 0;
  }

  /** The checks of a node, then those of container images. */
  private static Stream<Check> checks() {
    return Stream.concat(
        Checks.all().stream(),
        Contracts.names().stream().flatMap(name -> Contracts.of(name).stream()));
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
