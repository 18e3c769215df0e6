package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.network.NetText;
import dev.holdfast.core.network.blame.BlameReport;
import dev.holdfast.core.network.blame.Blamed;
import dev.holdfast.core.text.Counted;
import dev.holdfast.core.text.Wrap;

/** Who is to blame, for people. */
final class BlameText {
  private BlameText() {}

  /**
   * @param nothing what to do when nothing at all got through
   */
  static String of(BlameReport report, String nothing, Console console) {
    StringBuilder out = new StringBuilder();
    out.append(
        "%s, %s measured in %s; %d proven good%s\n"
            .formatted(
                Counted.of(report.endpoints(), "node"),
                Counted.of(report.measurements(), "pair"),
                Counted.of(report.rounds(), "round"),
                report.good(),
                Double.isNaN(report.typical())
                    ? "; nothing got through: " + nothing
                    : ", which reach " + NetText.bandwidth(report.typical()) + " GB/s"));
    for (Blamed blamed : report.blamed()) {
      out.append('\n')
          .append(Wrap.hanging(console.style().red(blamed.words()), 0, console.width()))
          .append('\n');
      for (String evidence : blamed.evidence()) {
        out.append("    ").append(Wrap.hanging(evidence, 6, console.width())).append('\n');
      }
    }
    for (String open : report.undecided()) {
      out.append('\n').append(Wrap.hanging("undecided: " + open, 4, console.width())).append('\n');
    }
    if (report.blamed().isEmpty() && report.undecided().isEmpty()) {
      out.append("\nNobody is to blame.\n");
    }
    return out.toString();
  }
}
