package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.stacks.StackSvg;
import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.core.text.Xml;
import dev.holdfast.launch.report.RunPage;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A verdict in a browser: one file, no script, no reference to anything else. */
public final class VerdictHtml {
  private static final int MOST_CONCLUSIONS = 10;

  private final String job;
  private final Investigation found;
  private final StringBuilder out = new StringBuilder();

  private VerdictHtml(String job, Investigation found) {
    this.job = job;
    this.found = found;
  }

  public static String page(String job, Investigation found) {
    return new VerdictHtml(job, found).write();
  }

  private String write() {
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.append("<title>Verdict on ").append(Xml.escape(job)).append("</title>\n<style>\n");
    out.append(RunPage.style()).append("</style>\n</head>\n<body>\n<main>\n");
    Conclusion best = found.conclusions().getFirst();
    tag("h1", "", "Why " + job + " stopped");
    tag("p", best.blames() ? "verdict bad" : "verdict", who(best) + ": " + best.what());
    numbers(best);
    for (Conclusion one : found.conclusions().stream().limit(MOST_CONCLUSIONS).toList()) {
      conclusion(one);
    }
    found
        .report()
        .ifPresent(
            report -> {
              tag("h2", "", "The run");
              out.append("<section>\n").append(RunPage.picture(report)).append("</section>\n");
            });
    if (found.stacks().ranks().size() > 0) {
      tag("h2", "", "Where each rank stood");
      // As an image, so that the page's style leaves it alone.
      byte[] svg = StackSvg.write(found.stacks()).getBytes(StandardCharsets.UTF_8);
      out.append("<img alt=\"stacks of all ranks, merged\" style=\"max-width: 100%\" src=\"")
          .append("data:image/svg+xml;base64,")
          .append(Base64.getEncoder().encodeToString(svg))
          .append("\">\n");
    }
    list("What was read", found.sources());
    list("What could not be read", found.trouble());
    return out.append("</main>\n</body>\n</html>\n").toString();
  }

  private static String who(Conclusion one) {
    String who = one.who();
    return Character.toUpperCase(who.charAt(0)) + who.substring(1);
  }

  private void numbers(Conclusion best) {
    out.append("<dl class=\"numbers\">\n");
    number("class", best.kind());
    number("confidence", "%.0f %%".formatted(100 * best.confidence()));
    number("ranks", found.world() == 0 ? "not known" : Integer.toString(found.world()));
    number("sources that agree", Integer.toString(best.sources().size()));
    out.append("</dl>\n");
  }

  private void number(String name, String value) {
    out.append("<div><dt>")
        .append(name)
        .append("</dt><dd>")
        .append(Xml.escape(value))
        .append("</dd></div>\n");
  }

  private void conclusion(Conclusion one) {
    out.append("<article>\n<h3>").append(Xml.escape(who(one))).append("<small>");
    out.append(Xml.escape("%s, confidence %.0f %%".formatted(one.kind(), 100 * one.confidence())));
    out.append("</small></h3>\n");
    tag("p", "", one.what());
    table("for it", one.evidence());
    table("against it", one.against());
    table("missing", one.missing());
    tag("p", "decision", one.next());
    out.append("</article>\n");
  }

  private void table(String name, List<String> lines) {
    if (!lines.isEmpty()) {
      tag("p", "quiet", name);
      out.append("<ul>\n");
      lines.forEach(line -> tag("li", "", line));
      out.append("</ul>\n");
    }
  }

  private void list(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      tag("h2", "", title);
      out.append("<ul>\n");
      lines.forEach(line -> tag("li", "", line));
      out.append("</ul>\n");
    }
  }

  private void tag(String name, String style, String text) {
    out.append('<').append(name);
    if (!style.isEmpty()) {
      out.append(" class=\"").append(style).append('"');
    }
    out.append('>').append(Xml.escape(text)).append("</").append(name).append(">\n");
  }
}
