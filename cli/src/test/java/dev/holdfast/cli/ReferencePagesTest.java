package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.command.RootCommand;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.doctor.Checks;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.contract.Contracts;
import dev.holdfast.testing.Golden;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The pages under docs/reference are written by these tests and are never out of date. */
class ReferencePagesTest {
  private static final Path PAGES = Golden.root().resolve("docs/reference");
  private static final String GENERATED =
      "<!-- Generated: mvn -pl cli -am test -Dtest=ReferencePagesTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dupdate.golden=true -->\n\n";

  @Test
  void checks() {
    StringBuilder page = new StringBuilder("# Checks\n\n" + GENERATED);
    page.append(
        "%d checks. Proven: *hardware* on the real part, *recorded* on data from it,"
            .formatted(Checks.all().size()));
    page.append(
        " *documented* from documents only (never drives an action).\n"
            + "Proven is the reading: of most faults only the healthy value was met on the real part,"
            + " the faulty one in fixtures.\n\n");
    page.append("| check | question | class | proven | right needed beyond an ordinary user's |\n");
    page.append("|---|---|---|---|---|\n");
    for (Check check : Checks.all()) {
      CheckInfo info = check.info();
      page.append(
          "| [`%s`](#%s) | %s | %s | %s | %s |\n"
              .formatted(
                  info.id(),
                  info.id().replace(".", ""),
                  cell(info.question()),
                  info.faultClass().word(),
                  info.proof().word(),
                  cell(info.needs().words())));
    }
    for (Check check : Checks.all()) {
      CheckInfo info = check.info();
      page.append("\n## %s\n\n".formatted(info.id()));
      page.append(info.question()).append("\n\n");
      page.append("- Why it matters: ").append(info.meaning()).append('\n');
      page.append("- What to do: ").append(info.remedy()).append('\n');
      page.append("- Reads: ")
          .append(
              info.reads().stream().map(read -> "`" + read + "`").collect(Collectors.joining(", ")))
          .append('\n');
      info.limits()
          .forEach(
              limit ->
                  page.append(
                      String.format(
                          Locale.ROOT,
                          "- Limit `%s`: %s %s (%s)\n",
                          limit.name(),
                          number(limit.value()),
                          limit.unit(),
                          limit.source())));
    }
    page.append("\n## Contracts\n\nRun only with `--contract PLATFORM`.\n\n");
    page.append("| check | question | what to do |\n|---|---|---|\n");
    Contracts.names().stream()
        .flatMap(name -> Contracts.of(name).stream())
        .map(Check::info)
        .forEach(
            info ->
                page.append(
                    "| `%s` | %s | %s |\n"
                        .formatted(info.id(), cell(info.question()), cell(info.remedy()))));
    Golden.verify(PAGES.resolve("checks.md"), page.toString());
  }

  @Test
  void errors() {
    StringBuilder page = new StringBuilder("# Error codes\n\n" + GENERATED);
    page.append(
        "| code | what happened | what to do | kind | exit code |\n|---|---|---|---|---|\n");
    for (ErrorCode error : ErrorCode.values()) {
      page.append(
          "| %s | %s | %s | %s | %d |\n"
              .formatted(
                  error.code(),
                  cell(error.what()),
                  cell(error.remedy()),
                  error.kind().word(),
                  error.kind().exitCode()));
    }
    Golden.verify(PAGES.resolve("errors.md"), page.toString());
  }

  @Test
  void xids() {
    StringBuilder page = new StringBuilder("# Xid and SXid codes\n\n" + GENERATED);
    page.append(
        "| Xid | name | severity | class | now | later | NVIDIA now / later | why we differ | proven | posted |\n");
    page.append("|---|---|---|---|---|---|---|---|---|---|\n");
    XidCatalogue.entries()
        .forEach(
            entry ->
                page.append(
                    "| %d | %s | %s | %s | %s | %s | %s / %s | %s | %s | %s |\n"
                        .formatted(
                            entry.code(),
                            cell(entry.name()),
                            entry.severity().word(),
                            entry.faultClass().word(),
                            entry.now().phrase(),
                            entry.later().phrase(),
                            cell(entry.vendorNow()),
                            cell(entry.vendorLater()),
                            cell(entry.why()),
                            entry.proof().word(),
                            cell(entry.posted()))));
    page.append(
        "\n| SXid | name | severity | reach | now | proven | posted |\n|---|---|---|---|---|---|---|\n");
    SxidCatalogue.entries()
        .forEach(
            entry ->
                page.append(
                    "| %d | %s | %s | %s | %s | %s | %s |\n"
                        .formatted(
                            entry.code(),
                            cell(entry.name()),
                            entry.severity().word(),
                            entry.scope(),
                            entry.now().phrase(),
                            entry.proof().word(),
                            cell(entry.posted()))));
    Golden.verify(PAGES.resolve("xid.md"), page.toString());
  }

  @Test
  void commands() {
    TestConsole console = new TestConsole();
    CommandLine root = RootCommand.commandLine(console.console());
    StringBuilder page = new StringBuilder("# Commands\n\n" + GENERATED);
    page.append("```text\n").append(root.getUsageMessage()).append("```\n");
    root.getSubcommands()
        .forEach(
            (name, command) ->
                page.append("\n## holdfast %s\n\n```text\n".formatted(name))
                    .append(command.getUsageMessage())
                    .append("```\n"));
    Golden.verify(PAGES.resolve("commands.md"), page.toString());
  }

  @Test
  void errorCodesAreUnique() {
    assertThat(ErrorCode.values()).extracting(ErrorCode::code).doesNotHaveDuplicates();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
