package dev.holdfast.bench.posted;

import dev.holdfast.bench.posted.PostedScore.Outcome;
import dev.holdfast.bench.posted.PostedScore.Row;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.kernel.KernelLog;
import dev.holdfast.core.kernel.NextStep;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.kernel.XidEntry;
import dev.holdfast.core.text.PciAddress;
import dev.holdfast.core.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How often is a line of a kernel log decoded as its maker means it?
 *
 * <p>Each line is decoded alone. Right is the code or kind, the device, and of an Xid the first
 * thing to do. A line of which nothing is known cannot be told. A harmless line is right as long as
 * it is no warning.
 */
public final class KernelScore {
  private static final Map<String, List<String>> STEPS = table("kernel-actions.tsv", "steps");
  private static final Map<String, List<String>> RULES = table("kernel-words.tsv", "rules");
  private static final Pattern NAMED = Pattern.compile("\\bto 0x[0-9a-fA-F]+ \\(([^)]+)\\)");
  private static final Map<String, NextStep> NAMED_ACTIONS =
      Map.of(
          "none", NextStep.NONE,
          "gpu reset required", NextStep.RESET_GPU,
          "node reboot required", NextStep.REBOOT_NODE,
          "drain p2p", NextStep.RESET_AT_DRAIN,
          "drain and reset", NextStep.RESET_AT_DRAIN);

  private final Map<String, Row> rows = new TreeMap<>();
  private final List<String> misses = new ArrayList<>();

  private KernelScore() {}

  private static Map<String, List<String>> table(String file, String column) {
    return Table.read(KernelScore.class, file, Function.identity()).stream()
        .collect(
            Collectors.toUnmodifiableMap(row -> row.cells().getFirst(), row -> row.words(column)));
  }

  public static KernelScore of(List<KernelCase> cases) {
    KernelScore score = new KernelScore();
    for (KernelCase one : cases) {
      Optional<KernelEvent> event =
          KernelLog.decode(one.line() + "\n", Optional.empty(), Optional.empty()).stream()
              .findFirst();
      Outcome outcome = outcome(one, event);
      String kind = (one.made() ? "made: " : "posted: ") + one.kind();
      score.rows.merge(kind, Row.of(kind, outcome), Row::plus);
      if (outcome != Outcome.RIGHT) {
        score.misses.add(
            "%-11s %s %s [%s]: %s%s"
                .formatted(
                    outcome == Outcome.WRONG ? "wrong" : "cannot tell",
                    one.made() ? "made" : "posted",
                    one.code() + (one.action().isEmpty() ? "" : " " + one.action()),
                    one.source(),
                    event.map(KernelScore::words).orElse("nothing"),
                    differing(one).map(why -> "; we differ: " + why).orElse("")));
      }
    }
    return score;
  }

  private static String words(KernelEvent event) {
    return "%s, %s, %s, %s"
        .formatted(
            event.code().isPresent() ? event.rule() + " " + event.code().getAsInt() : event.rule(),
            event.device().isEmpty() ? "no device" : event.device(),
            event.step().word(),
            event.severity().word());
  }

  private static Optional<String> differing(KernelCase one) {
    return one.code().startsWith("xid ")
        ? XidCatalogue.find(Integer.parseInt(one.code().substring(4)))
            .map(XidEntry::why)
            .filter(why -> !why.isEmpty())
        : Optional.empty();
  }

  static Outcome outcome(KernelCase one, Optional<KernelEvent> event) {
    if (one.code().equals("harmless")) {
      return event.filter(it -> it.severity().atLeast(Severity.WARNING)).isPresent()
          ? Outcome.WRONG
          : Outcome.RIGHT;
    }
    if (event.isEmpty()) {
      return Outcome.CANNOT_TELL;
    }
    KernelEvent told = event.get();
    if (!named(one, told) || !placed(one.device(), told.device())) {
      return Outcome.WRONG;
    }
    if (one.code().startsWith("xid ")) {
      return step(one, told.step());
    }
    return Outcome.RIGHT;
  }

  private static boolean named(KernelCase one, KernelEvent told) {
    return told.code().isPresent()
        ? one.code().equals(told.rule() + " " + told.code().getAsInt())
        : RULES.getOrDefault(one.code(), List.of()).contains(told.rule());
  }

  /** A line that names no device may be about any. */
  private static boolean placed(String wanted, String told) {
    return wanted.isEmpty() || whole(wanted).equals(whole(told));
  }

  private static String whole(String device) {
    return PciAddress.normalise(device).orElse(device.toLowerCase(Locale.ROOT));
  }

  private static Outcome step(KernelCase one, NextStep told) {
    boolean same =
        one.action().isEmpty()
            || (one.action().equals("XID_154")
                ? asked(one.line()).filter(told::equals).isPresent()
                : STEPS.getOrDefault(one.action(), List.of()).contains(told.word()));
    return same ? Outcome.RIGHT : told == NextStep.UNKNOWN ? Outcome.CANNOT_TELL : Outcome.WRONG;
  }

  /** What the driver asks for by name. */
  private static Optional<NextStep> asked(String line) {
    Matcher named = NAMED.matcher(line);
    return named.find()
        ? Optional.ofNullable(NAMED_ACTIONS.get(named.group(1).toLowerCase(Locale.ROOT)))
        : Optional.empty();
  }

  /** By kind, then all that were posted, all that were made, and all. */
  public List<Row> rows() {
    List<Row> all = new ArrayList<>(rows.values());
    for (String part : List.of("made", "posted", "")) {
      Row sum = new Row(part.isEmpty() ? "all" : "all " + part, 0, 0, 0, 0);
      for (Row row : rows.values()) {
        sum = row.kind().startsWith(part) ? sum.plus(row) : sum;
      }
      all.add(sum);
    }
    return all;
  }

  /** What was not right, in words. */
  public List<String> misses() {
    return misses.stream().sorted().toList();
  }
}
