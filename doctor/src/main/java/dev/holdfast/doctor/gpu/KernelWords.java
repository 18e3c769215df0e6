package dev.holdfast.doctor.gpu;

import dev.holdfast.core.kernel.KernelEvent;
import dev.holdfast.core.text.Times;
import dev.holdfast.doctor.check.Draft;

/** How an event of the kernel log is told in a finding. */
final class KernelWords {
  private KernelWords() {}

  static String summary(KernelEvent event) {
    String often = event.count() > 1 ? ", " + event.count() + " lines" : "";
    return event.detail().isEmpty() || event.summary().contains(event.detail())
        ? event.summary() + often
        : event.summary() + " (" + event.detail() + ")" + often;
  }

  static void describe(Draft draft, KernelEvent event) {
    draft
        .event()
        .row(event.proof())
        .since(event.first())
        .evidence("kernel-log", event.line())
        .meaning(event.meaning())
        .remedy(event.remedy());
    event
        .last()
        .filter(last -> event.count() > 1)
        .ifPresent(last -> draft.evidence("last line at", Times.show(last)));
  }
}
