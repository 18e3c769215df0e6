package dev.holdfast.doctor.software;

import dev.holdfast.doctor.node.NodeView;

/** The machine's kind as wheels name it: {@code x86_64} or {@code aarch64}. */
final class Processor {
  private Processor() {}

  static String machine(NodeView node) {
    return node.text("/proc/sys/kernel/arch")
        .filter(text -> !text.isEmpty())
        .orElseGet(
            () ->
                node.read("/proc/cpuinfo").text().orElse("").contains("CPU implementer")
                    ? "aarch64"
                    : "x86_64");
  }
}
