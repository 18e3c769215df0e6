package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.network.Expectation;
import dev.holdfast.core.network.Judgement;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.text.Columns;
import dev.holdfast.core.text.Nearest;
import dev.holdfast.core.text.Wrap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the figures are held against. */
final class ExpectChoice {
  @Option(
      names = "--expect",
      paramLabel = "NAME|FILE",
      description =
          "Judge by what such nodes should give and say which limit is hit; exit with 1 when it is"
              + " too little. A name of the catalogue, such as h100-ndr400 (list: all of them), or"
              + " a YAML file with gpus, nics, nicGbps, scaleUp, pcie, inside.")
  private @Nullable String expect;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes took part. Default: the hosts that are told.")
  private @Nullable Integer nodes;

  boolean asked() {
    return expect != null;
  }

  boolean listing() {
    return "list".equals(expect);
  }

  /** Complains about a name that is not known, before anything is measured. */
  void require() {
    if (asked() && !listing()) {
      expectation();
    }
  }

  static String catalogue(Console console) {
    Columns table =
        new Columns(
            Set.of(3, 4, 5, 6),
            "name",
            "device",
            "adapters",
            "GPUs",
            "NICs",
            "each GB/s",
            "inside",
            "source");
    for (Expectation each : Expectation.all()) {
      table.add(
          List.of(
              each.name(),
              each.device(),
              each.nic(),
              Integer.toString(each.gpus()),
              Integer.toString(each.nics()),
              NetText.bandwidth(each.line()),
              NetText.bandwidth(each.inside()),
              each.source()));
    }
    return table.text(console.style());
  }

  List<Judgement> judge(LedgerRun run) {
    int among = nodes != null ? nodes : run.manifest().hosts().size();
    if (among < 1) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "how many nodes took part is not told: give --nodes N");
    }
    List<Judgement> judgements = Judgement.of(run.results(), expectation(), among);
    if (judgements.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "%s says nothing about what was measured, on %d node%s"
              .formatted(expect, among, among == 1 ? "" : "s"));
    }
    return judgements;
  }

  static String text(List<Judgement> judgements, Console console) {
    return judgements.stream()
        .map(
            it ->
                Wrap.hanging(
                    (it.good()
                            ? console.style().green("good: ")
                            : console.style().red("too little: "))
                        + it.words(),
                    4,
                    console.width()))
        .collect(Collectors.joining("\n", "\n", "\n"));
  }

  private Expectation expectation() {
    String name = String.valueOf(expect);
    return Expectation.named(name)
        .orElseGet(
            () -> {
              if (!Files.isRegularFile(Path.of(name))) {
                String near =
                    Nearest.to(name, Expectation.all().stream().map(Expectation::name).toList())
                        .map(it -> "; did you mean " + it + "?")
                        .orElse("; --expect list shows all");
                throw new HoldfastException(
                    ErrorCode.WRONG_USAGE, "--expect: no '" + name + "'" + near);
              }
              try {
                return Expectation.read(name, PolicyFile.text(Path.of(name)));
              } catch (IllegalArgumentException wrong) {
                throw new HoldfastException(
                    ErrorCode.BAD_CONFIGURATION, String.valueOf(wrong.getMessage()), wrong);
              }
            });
  }
}
