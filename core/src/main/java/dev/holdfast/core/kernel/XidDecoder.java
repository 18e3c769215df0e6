package dev.holdfast.core.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.Nvlink5Catalogue.Generation;
import dev.holdfast.core.text.PciAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does an {@code NVRM: Xid} line say? {@code NVRM: Xid (PCI:0000:3b:00): 79, pid=1234,
 * name=python, GPU has fallen off the bus.}, the older {@code NVRM: Xid (0000:03:00): 31, Ch
 * 00000010…} and the form with a MIG instance {@code (PCI:0000:01:00 GPU-I:05)}. Codes 74, 144 to
 * 150 and 154 carry their real message in the rest of the line, which is decoded too.
 */
final class XidDecoder {
  /** Some collectors write everything in small letters. */
  static final List<String> MARKERS = List.of("Xid (", "xid (");

  private static final Pattern LINE =
      Pattern.compile(
          "(?<![A-Za-z])Xid {1,2}\\( {0,2}(?:PCI:)?([0-9A-Za-z:.]{1,40})([^)]{0,40})\\) ?:"
              + " {0,2}([0-9]{1,6})(?![0-9])",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern PROCESS =
      Pattern.compile("pid='?([0-9]{1,10})'?(?:, name=([^,]{1,64}))?");
  private static final Pattern PLACE =
      Pattern.compile("\\(GPC ([0-9]{1,3}), ?TPC ([0-9]{1,3})(?:, ?SM [0-9]{1,3})?\\)");
  private static final Pattern WORDS =
      Pattern.compile("link ([0-9]{1,3}) ?\\(((?:0x[0-9a-fA-F]{1,8}[, ]{0,2}){1,8})\\)");
  private static final Pattern NVLINK5 =
      Pattern.compile(
          "([A-Z][A-Z0-9_/]{1,40}(?: Degraded)?) +(Fatal|Non-?fatal|Link Fatal) +XC ?[0-9]{1,3} +"
              + "i ?[0-9]{1,3} +Link +(-?[0-9]{1,4})"
              + "(?: +[(\\[]0x([0-9a-fA-F]{1,8})(?: +0x([0-9a-fA-F]{1,8}))?)?");
  private static final Pattern RECOVERY =
      Pattern.compile(
          "action changed from [^()]{0,20}\\([^)]{0,40}\\) to 0x([0-9a-f]{1,4}) \\(([^)]{1,40})\\)");

  private final Generation generation;

  XidDecoder(Generation generation) {
    this.generation = generation;
  }

  Optional<Draft> decode(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.find()) {
      return Optional.empty();
    }
    int code = Integer.parseInt(line.group(3));
    String device = device(line.group(1));
    Draft draft = new Draft("xid", OptionalInt.of(code), device, text);
    draft.part = line.group(2).strip();
    draft.detail = draft.part;
    describe(draft, code);
    String rest = text.substring(line.end());
    switch (code) {
      case 13 -> place(draft, rest);
      case 74 -> link(draft, rest);
      case 144, 145, 146, 147, 148, 149, 150 -> nvlink5(draft, code, rest);
      case 154 -> recovery(draft, rest);
      default -> {}
    }
    process(draft, rest);
    return Optional.of(draft);
  }

  /** Empty where a poster or a template left it out; {@code 0001:00} is the oldest form. */
  static String device(String text) {
    return PciAddress.normalise(text).orElseGet(() -> text.matches(".*[0-9a-fA-F]:.*") ? text : "");
  }

  private static void describe(Draft draft, int code) {
    Optional<XidEntry> known = XidCatalogue.find(code);
    if (known.isPresent()) {
      XidEntry entry = known.get();
      draft.grade(entry.severity(), entry.faultClass(), entry.now(), entry.proof());
      draft.explain("Xid " + code + ": " + entry.name(), entry.meaning(), entry.remedy());
    } else {
      draft.grade(Severity.WARNING, FaultClass.UNKNOWN, NextStep.UNKNOWN, Proof.DOCUMENTED);
      draft.explain(
          "Xid " + code + ": not documented",
          "The driver reported a code that no public catalogue explains.",
          "Keep the line, run nvidia-bug-report.sh and ask the vendor.");
    }
  }

  private static void process(Draft draft, String rest) {
    Matcher process = PROCESS.matcher(rest);
    if (process.find()) {
      draft.processes.add(process.group(1));
      String name = process.group(2);
      String text = "pid " + process.group(1) + (name == null ? "" : " (" + name + ")");
      draft.detail = draft.detail.isEmpty() ? text : draft.detail + ", " + text;
    }
  }

  private static void place(Draft draft, String rest) {
    Matcher place = PLACE.matcher(rest);
    if (place.find()) {
      draft.places.add("GPC " + place.group(1) + " TPC " + place.group(2));
    }
  }

  private static void link(Draft draft, String rest) {
    Matcher found = WORDS.matcher(rest);
    if (!found.find()) {
      return;
    }
    draft.part = "link " + found.group(1);
    draft.detail = draft.part;
    List<Integer> words = Xid74Entry.words(found.group(2));
    List<Xid74Entry> rows = Xid74Entry.matching(words);
    Optional<Xid74Entry> worst = rows.stream().max(Comparator.comparing(Xid74Entry::severity));
    if (Xid74Entry.unexplained(words) || worst.isEmpty()) {
      draft.proof = Proof.DOCUMENTED;
      draft.meaning += " The line sets bits the vendor does not document.";
      return;
    }
    Xid74Entry row = worst.get();
    draft.kind = row.kind();
    draft.part += " " + row.kind();
    draft.grade(row.severity(), FaultClass.HARDWARE, row.now(), row.proof());
    draft.meaning += " Bits (as documented for Hopper): " + row.meaning();
    draft.remedy = row.remedy();
  }

  private void nvlink5(Draft draft, int code, String rest) {
    Matcher found = NVLINK5.matcher(rest);
    if (!found.find()) {
      return;
    }
    String unit = found.group(1);
    boolean fatal = found.group(2).endsWith("Fatal");
    boolean whole = found.group(5) != null;
    draft.detail =
        unit
            + ", link "
            + Integer.parseInt(found.group(3))
            + (whole ? ", status 0x" + found.group(5) : "");
    draft.part = draft.detail;
    draft.summary = "Xid " + code + ": NVLink 5 " + unit + (fatal ? " fatal error" : " error");
    Optional<Nvlink5Entry> row =
        whole
            ? Nvlink5Catalogue.find(
                code,
                unit,
                Integer.parseUnsignedInt(found.group(4), 16),
                Integer.parseUnsignedInt(found.group(5), 16),
                generation)
            : Optional.empty();
    if (row.isEmpty()) {
      draft.proof = Proof.DOCUMENTED;
      if (fatal) {
        draft.grade(Severity.FATAL, FaultClass.HARDWARE, NextStep.RESET_GPU, Proof.DOCUMENTED);
        draft.remedy = "Stop the job and reset the GPU. " + draft.remedy;
      }
      draft.meaning +=
          whole
              ? " This combination is not in the vendor's decode table."
              : " The words that say more are cut off.";
      return;
    }
    Nvlink5Entry entry = row.get();
    boolean software = entry.origin().equals("SW");
    draft.grade(
        entry.severity(),
        software ? FaultClass.SOFTWARE : FaultClass.HARDWARE,
        entry.now(),
        entry.proof());
    draft.meaning =
        "NVLink 5 unit " + unit + ": " + entry.vendorSeverity() + "; " + entry.effect() + ".";
    draft.remedy = advice(entry);
  }

  private static String advice(Nvlink5Entry entry) {
    String now =
        switch (entry.vendorNow()) {
          case "RESET_GPU" ->
              entry.vendorSeverity().startsWith("Link")
                  ? "Drain the GPU, then reset it."
                  : "Stop the job and reset the GPU.";
          case "XID_154_EVAL" ->
              "Do what Xid 154 of this GPU says; if there is none, restart the job.";
          default -> "Nothing to do now.";
        };
    return entry.later() == NextStep.NONE
        ? now
        : now + " So that it does not return: " + entry.later().phrase() + ".";
  }

  private static void recovery(Draft draft, String rest) {
    Matcher found = RECOVERY.matcher(rest);
    if (!found.find()) {
      return;
    }
    draft.recovery = RecoveryAction.find(found.group(2), Integer.parseInt(found.group(1), 16));
    draft.detail = found.group(2);
    draft.part = found.group(2);
    draft.summary = "Xid 154: recovery action is now " + found.group(2);
    draft.recovery.ifPresent(
        action -> {
          draft.grade(action.severity(), FaultClass.HARDWARE, action.step(), draft.proof);
          draft.remedy =
              action == RecoveryAction.NONE
                  ? "Nothing to do: the driver says the GPU may be used."
                  : "The driver asks for it: " + action.step().phrase() + ".";
        });
  }
}
