package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Severity;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does an {@code NVRM: Xid} line say? {@code NVRM: Xid (PCI:0000:3b:00): 79, pid=1234,
 * name=python, GPU has fallen off the bus.} and the older {@code NVRM: Xid (0000:03:00): 31, Ch
 * 00000010…}.
 */
final class XidDecoder {
  static final String MARKER = "NVRM: Xid";

  private static final Pattern LINE =
      Pattern.compile(
          "NVRM: Xid \\(([^)\\s]{1,40})\\): (\\d{1,6})(?:[,:] ?|$)(.*)", Pattern.DOTALL);

  private XidDecoder() {}

  static Optional<Draft> decode(String text, int at) {
    Matcher line = LINE.matcher(text).region(at, text.length());
    if (!line.lookingAt()) {
      return Optional.empty();
    }
    int code = Integer.parseInt(line.group(2));
    String device = PciAddress.normalise(line.group(1)).orElse(line.group(1));
    return Optional.of(
        XidCatalogue.find(code)
            .map(entry -> known(entry, device, text))
            .orElseGet(() -> unknown(code, device, text)));
  }

  private static Draft known(XidEntry entry, String device, String text) {
    String[] texts = {"Xid " + entry.code() + ": " + entry.name(), entry.meaning(), entry.remedy()};
    return new Draft(
        "xid",
        OptionalInt.of(entry.code()),
        device,
        entry.severity(),
        entry.faultClass(),
        entry.now(),
        texts,
        text);
  }

  private static Draft unknown(int code, String device, String text) {
    String[] texts = {
      "Xid " + code + ": not documented",
      "The driver reported a code that no public catalogue explains.",
      "Keep the line, run nvidia-bug-report.sh and ask the vendor."
    };
    return new Draft(
        "xid",
        OptionalInt.of(code),
        device,
        Severity.WARNING,
        FaultClass.UNKNOWN,
        NextStep.UNKNOWN,
        texts,
        text);
  }
}
