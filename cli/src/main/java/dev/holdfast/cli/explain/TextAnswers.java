package dev.holdfast.cli.explain;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRule.Weight;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.FailureRules.Match;
import dev.holdfast.core.forensics.RankEvidence;
import dev.holdfast.core.forensics.Signal;
import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.kernel.KernelLog;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.kernel.XidEntry;
import dev.holdfast.core.network.CompletionStatus;
import dev.holdfast.core.text.Wrap;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is known of lines as they were pasted: what the kernel wrote is decoded as the doctor does
 * it, what a rank wrote is judged by the rules of {@code run} and {@code diagnose}. The surest
 * comes first.
 */
final class TextAnswers {
  private static final int MOST_LINES = 4_000;
  private static final int SHOWN = 160;

  private static final Pattern COLOUR = Pattern.compile("\\x1b\\[[0-9;]{0,16}[A-Za-z]");
  private static final Pattern OURS = Pattern.compile("\\bHF-\\d{4}\\b");

  /** {@code Xid 79}, {@code Xid: 79}, {@code xid=79} in the words of some program. */
  private static final Pattern NAMED_CODE =
      Pattern.compile("(?i)\\b(s?xid)(?:\\s{0,8}\\(pci:[^)]{0,40}\\))?[\\s:=-]{0,3}(\\d{1,9})\\b");

  private static final Pattern ENDED =
      Pattern.compile(
          "(?i)exit ?(?:ed with )?(?:exit )?(?:code|status)\\s{0,8}[:=]?\\s{0,8}(-?\\d{1,3})\\b");
  private static final Pattern SIGNALLED =
      Pattern.compile("(?i)\\bsignal:? (\\d{1,2})\\b|\\((SIG[A-Z]{2,6})\\)");
  private static final Pattern NUMBERED = Pattern.compile("\\[?[Ee]rrno:? (\\d{1,3})\\b");

  private final String text;
  private final List<String> lines;

  /** By what they are about, so that nothing is told twice. */
  private final Map<String, Answer> answers = new LinkedHashMap<>();

  TextAnswers(String pasted) {
    text = COLOUR.matcher(pasted).replaceAll("");
    lines = text.lines().filter(line -> !line.isBlank()).limit(MOST_LINES).toList();
  }

  /** All that is known, the surest first. */
  List<Answer> all() {
    ours();
    List<KernelEvent> events = events();
    events.stream().filter(event -> event.role() == KernelEvent.Role.CAUSE).forEach(this::event);
    events.forEach(this::event);
    codes();
    Match match = match();
    FailureRule rule = match.rule();
    boolean cause = rule != null && rule.weight() == Weight.CAUSE;
    if (rule != null && cause && !ofKernel(match.line())) {
      rule(rule, match.line());
    }
    lines.forEach(line -> CompletionStatus.in(line).map(CodeAnswers::of).ifPresent(this::add));
    if (rule != null && rule.weight() == Weight.VICTIM) {
      rule(rule, match.line());
    }
    if (!cause && events.isEmpty()) {
      endings();
    }
    boolean asked = rule != null && rule.kind() == FailureClass.PREEMPTION;
    if (rule != null && rule.weight() == Weight.GENERIC && (asked || answers.isEmpty())) {
      rule(rule, match.line());
    }
    if (!cause) {
      numbered();
    }
    return List.copyOf(answers.values());
  }

  /** What a rank said, by the rules alone. */
  List<Answer> said() {
    Match match = match();
    FailureRule rule = match.rule();
    if (rule != null) {
      rule(rule, match.line());
    }
    lines.forEach(line -> CompletionStatus.in(line).map(CodeAnswers::of).ifPresent(this::add));
    return List.copyOf(answers.values());
  }

  private void add(Answer answer) {
    answers.putIfAbsent(answer.name(), answer);
  }

  private void rule(FailureRule rule, String line) {
    add(CodeAnswers.of(rule, lines.size() > 1 ? Wrap.cut(line, SHOWN) : ""));
  }

  private void ours() {
    Matcher ours = OURS.matcher(text);
    while (ours.find()) {
      ErrorCode.find(ours.group()).map(CodeAnswers::of).ifPresent(this::add);
    }
  }

  private List<KernelEvent> events() {
    return KernelLog.decode(text, Optional.empty(), Optional.empty()).stream()
        .sorted(Comparator.comparing(KernelEvent::severity).reversed())
        .toList();
  }

  private static boolean ofKernel(String line) {
    return !KernelLog.decode(line, Optional.empty(), Optional.empty()).isEmpty();
  }

  private void event(KernelEvent event) {
    Optional<XidEntry> entry =
        event.rule().equals("xid") ? XidCatalogue.find(event.code().orElse(-1)) : Optional.empty();
    String device = event.device().isEmpty() ? "" : " of " + event.device();
    String name =
        event.code().isPresent()
            ? (event.rule().equals("xid") ? "Xid " : "SXid ") + event.code().getAsInt()
            : event.rule();
    FailureRule inRun = match(List.of(event.line()), "").rule();
    Answer answer =
        Answer.of(name + device, event.summary().replaceFirst("^S?Xid [0-9]+: ", ""))
            .with("now", event.step().phrase())
            .with("do", event.remedy())
            .with("means", event.meaning())
            .with("says", event.detail())
            .with("severity", event.severity().word() + ", " + event.faultClass().word())
            .with("lines", event.count() > 1 ? String.valueOf(event.count()) : "")
            .with(
                "NVIDIA says",
                entry.filter(row -> row.now() == event.step()).map(CodeAnswers::vendor).orElse(""))
            .with("we differ", entry.map(XidEntry::why).orElse(""))
            .with(
                "in a run",
                inRun == null || inRun.weight() == Weight.GENERIC ? "" : inRun.kind().word());
    answers.putIfAbsent(name + device + event.detail(), answer);
  }

  /** A code in the words of another program, where the kernel's own line is not there. */
  private void codes() {
    Matcher named = NAMED_CODE.matcher(text);
    while (named.find()) {
      String code = named.group(1) + " " + Integer.parseInt(named.group(2));
      boolean decoded =
          answers.keySet().stream()
              .anyMatch(
                  known -> (known + " ").regionMatches(true, 0, code + " ", 0, code.length() + 1));
      if (!decoded) {
        Numbers.named(code).ifPresent(this::add);
      }
    }
  }

  /** Run and diagnose know a rank's words first, and what its error file says. */
  private Match match() {
    Match said = match(lines, "");
    return said.rule() == null ? match(lines, text) : said;
  }

  private static Match match(List<String> lines, String errorFile) {
    return FailureRules.classify(new RankEvidence(0, "", -1, 0, false, 0, lines, errorFile, 0, -1));
  }

  private void endings() {
    Matcher signalled = SIGNALLED.matcher(text);
    while (signalled.find()) {
      (signalled.group(1) == null
              ? Signal.find(signalled.group(2))
              : Signal.find(Integer.parseInt(signalled.group(1))))
          .map(CodeAnswers::of)
          .ifPresent(this::add);
    }
    Matcher ended = ENDED.matcher(text);
    while (ended.find()) {
      int code = Integer.parseInt(ended.group(1));
      if (code > 1 || code < 0 || code == 1 && answers.isEmpty()) {
        CodeAnswers.exit(code).ifPresent(this::add);
      }
    }
  }

  private void numbered() {
    Matcher numbered = NUMBERED.matcher(text);
    while (numbered.find()) {
      Numbers.find("errno", Integer.parseInt(numbered.group(1))).ifPresent(this::add);
    }
  }
}
