package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.bench.ledger.Manifest;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.network.Judgement;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Times;
import dev.holdfast.core.text.Wrap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One run of the ledger. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Show a run that was kept: its results and under which conditions.",
    footer = {
      "",
      "Examples:",
      "  holdfast bench show                              the last one",
      "  holdfast bench show last --expect h100-ndr400    and is it what such nodes should give?",
      "  holdfast bench show last --svg report.svg        as a picture for a report",
      "  holdfast bench show --expect list                what is known of which nodes",
    })
final class BenchShowCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      description = "An id or its beginning, a label, a baseline, last, last~2. Default: last.")
  private String run = "last";

  @Mixin private RunOutput output = new RunOutput();

  @Mixin private ExpectChoice expect = new ExpectChoice();

  @Mixin private AgentReport report = new AgentReport();

  @Mixin private LedgerChoice ledger = new LedgerChoice();

  BenchShowCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (expect.listing()) {
      console.answer(ExpectChoice.catalogue(console));
      return 0;
    }
    report.require(expect.asked(), "--expect");
    LedgerRun found = ledger.find(run);
    report.requireHere(found);
    List<Judgement> judgements = expect.asked() ? expect.judge(found) : List.of();
    output.write(
        console, found, () -> text(found) + told(judgements), () -> json(found, judgements));
    List<String> losses =
        judgements.stream().filter(it -> !it.good()).map(Judgement::words).toList();
    report.tell(found, losses, console);
    return losses.isEmpty() ? 0 : 1;
  }

  private String told(List<Judgement> judgements) {
    return expect.asked() ? ExpectChoice.text(judgements, console) : "";
  }

  private String json(LedgerRun found, List<Judgement> judgements) {
    Map<String, @Nullable Object> tree = found.tree();
    if (expect.asked()) {
      tree.put("judgements", judgements.stream().map(Judgement::tree).toList());
    }
    return Json.pretty(tree);
  }

  private String text(LedgerRun found) {
    StringBuilder out = new StringBuilder();
    out.append(found.id()).append("  ").append(Times.show(found.time()));
    out.append("  ").append(found.tool());
    out.append(found.label().isEmpty() ? "" : "  " + found.label()).append("\n\n");
    out.append(NetText.table(found.results(), console.style())).append('\n');
    Manifest manifest = found.manifest();
    if (!manifest.hosts().isEmpty()) {
      out.append("hosts: ").append(String.join(", ", manifest.hosts())).append('\n');
    }
    for (Manifest.Nic nic : manifest.nics()) {
      out.append("nic: ").append(nic.words()).append('\n');
    }
    manifest
        .facts()
        .forEach(
            (name, value) ->
                out.append(Wrap.hanging(name + ": " + value, 4, console.width())).append('\n'));
    for (Manifest.Load load : manifest.load()) {
      out.append(Wrap.hanging(load.words(), 4, console.width())).append('\n');
    }
    for (String note : found.notes()) {
      out.append(Wrap.hanging("note: " + note, 6, console.width())).append('\n');
    }
    return out.toString();
  }
}
