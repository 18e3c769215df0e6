package dev.holdfast.launch.report;

import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.Style;

/** The page of truth about a run, for terminals, programs and browsers. */
public final class RunPage {
  private RunPage() {}

  /** Lines of at most {@code width} characters, ended by a line feed. */
  public static String text(RunReport report, int width, Style style) {
    return new RunText(report, Math.max(40, width), style).page();
  }

  /** {@code run.json}, in the form docs/schema/run.json promises. */
  public static String json(RunReport report) {
    return Json.pretty(RunJson.of(report));
  }

  /** One file without references to others. */
  public static String html(RunReport report) {
    return RunHtml.page(report);
  }

  /** What became of the time, as a picture within a page of this {@link #style}. */
  public static String picture(RunReport report) {
    return RunPicture.of(report);
  }

  /** The style sheet of our pages. */
  public static String style() {
    return RunHtml.style();
  }
}
