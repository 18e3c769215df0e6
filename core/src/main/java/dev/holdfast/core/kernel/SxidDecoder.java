package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does an NVSwitch line say? {@code nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Fatal,
 * Link 30 LTSSM Fault Up}. A code no table knows is graded by the word of the driver.
 */
final class SxidDecoder {
  static final String MARKER = ": SXid (";

  private static final Pattern LINE =
      Pattern.compile(
          "SXid \\((?:PCI:)?([^) ]{1,40})[^)]{0,40}\\): ?([0-9]{1,6})(?![0-9])"
              + "(?:, ?(Fatal|Non-fatal))?(?:, ?Link ([0-9]{1,3}))?");

  private SxidDecoder() {}

  static Optional<Draft> decode(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.find()) {
      return Optional.empty();
    }
    int code = Integer.parseInt(line.group(2));
    String device = XidDecoder.device(line.group(1));
    Draft draft = new Draft("sxid", OptionalInt.of(code), device, text);
    if (line.group(4) != null) {
      draft.detail = "link " + line.group(4);
      draft.part = draft.detail;
    }
    boolean fatal = "Fatal".equals(line.group(3));
    Optional<SxidEntry> known = SxidCatalogue.find(code);
    if (known.isPresent()) {
      SxidEntry entry = known.get();
      draft.grade(entry.severity(), entry.faultClass(), entry.now(), entry.proof());
      draft.explain("SXid " + code + ": " + entry.name(), entry.meaning(), entry.remedy());
    } else {
      draft.grade(
          fatal ? Severity.FATAL : Severity.WARNING,
          FaultClass.HARDWARE,
          fatal ? NextStep.RESET_GPU : NextStep.UNKNOWN,
          Proof.DOCUMENTED);
      draft.explain(
          "SXid " + code + ": not documented",
          "An NVSwitch reported a code the Fabric Manager guide does not list"
              + (fatal ? "; the driver calls it fatal." : "."),
          fatal
              ? "Reset the GPUs and NVSwitches or reboot the node, and ask the vendor."
              : "Watch NVLink throughput, and ask the vendor.");
    }
    return Optional.of(draft);
  }
}
