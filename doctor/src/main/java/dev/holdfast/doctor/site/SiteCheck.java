package dev.holdfast.doctor.site;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.text.Durations;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Draft;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.os.file.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A check the site wrote: what its executable prints becomes the answer.
 *
 * <p>The executable runs on the site's own hardware, so the site vouches for it: its findings may
 * drive an action like those of a check seen to work.
 */
final class SiteCheck implements Check {
  private static final Duration WINDOW = Duration.ofHours(24);

  private final String name;
  private final String path;
  private final CheckInfo info;

  SiteCheck(String name, String path) {
    this.name = name;
    this.path = path;
    this.info =
        CheckInfo.of(
                "site." + name,
                "Is the site's own check " + name + " content?",
                FaultClass.UNKNOWN,
                Proof.HARDWARE)
            .reads(path)
            .meaning("The site holds this against a node; the check is " + path + ".")
            .remedy("Read what " + path + " tests and run it by hand.");
  }

  @Override
  public CheckInfo info() {
    return info;
  }

  @Override
  public void run(Examination exam) {
    Reading reading = exam.node().probe("site-check/" + name);
    switch (reading) {
      case Reading.Text text -> answer(exam, text.value());
      case Reading.Absent absent -> exam.skip(absent.why());
      case Reading.Broken broken -> exam.skip(told(broken.why()));
      case Reading.Denied denied ->
          exam.warning(exam.here(), told(denied.why()))
              .evidence(path, denied.why())
              .meaning(
                  "Whoever may write the file decides what runs with the rights of holdfast, which"
                      + " is often root.")
              .remedy(
                  "chown root %s && chmod 755 %s, and the same for its folder"
                      .formatted(path, path));
    }
  }

  private static String told(String why) {
    return ErrorCode.BROKEN_SITE_CHECK.code() + " " + why;
  }

  private void answer(Examination exam, String text) {
    SiteAnswer answer;
    Subject subject;
    try {
      answer = SiteAnswer.parse(text);
      subject = subject(exam, answer.subject());
    } catch (IllegalArgumentException e) {
      exam.skip(told(path + ": " + e.getMessage()));
      return;
    }
    List<Evidence> growth = growth(exam, answer);
    switch (answer.outcome()) {
      case SKIP -> exam.skip(answer.summary());
      case PASS -> exam.pass(detail(answer, growth));
      case WARN, FAIL -> {
        Draft draft = exam.draft(subject, answer.severity(), answer.summary());
        answer.evidence().forEach(item -> draft.evidence(item.source(), item.value()));
        growth.forEach(item -> draft.evidence(item.source(), item.value()));
        if (answer.evidence().isEmpty() && growth.isEmpty()) {
          draft.evidence(path, answer.outcome().word());
        }
        if (!answer.meaning().isEmpty()) {
          draft.meaning(answer.meaning());
        }
        if (!answer.remedy().isEmpty()) {
          draft.remedy(answer.remedy());
        }
      }
    }
  }

  private static String detail(SiteAnswer answer, List<Evidence> growth) {
    StringBuilder detail = new StringBuilder(answer.summary().isEmpty() ? "ok" : answer.summary());
    growth.forEach(
        item -> detail.append(", ").append(item.source()).append(' ').append(item.value()));
    return detail.toString();
  }

  /** Notes the counters and says how far each grew since an earlier run. */
  private List<Evidence> growth(Examination exam, SiteAnswer answer) {
    List<Evidence> growth = new ArrayList<>();
    answer
        .counters()
        .forEach(
            (counter, value) -> {
              String change =
                  exam.change("site." + name + "." + counter, value, WINDOW)
                      .map(
                          grown ->
                              " (+%d in %s)"
                                  .formatted(grown.increase(), Durations.show(grown.elapsed())))
                      .orElse("");
              growth.add(new Evidence(counter, value + change));
            });
    return growth;
  }

  /**
   * {@code gpu/3} is a part of this node; {@code node/n1/gpu/3} and {@code switch/x} stand alone.
   */
  private static Subject subject(Examination exam, String text) {
    if (text.isEmpty()) {
      return exam.here();
    }
    boolean whole = text.matches("(node|switch|link|job|volume)/.*");
    return Subject.parse(whole ? text : "node/" + exam.node().name() + "/" + text);
  }
}
