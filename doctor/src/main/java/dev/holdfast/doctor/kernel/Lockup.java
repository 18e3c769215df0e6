package dev.holdfast.doctor.kernel;

import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.doctor.check.Check;
import dev.holdfast.doctor.check.CheckInfo;
import dev.holdfast.doctor.check.Examination;
import dev.holdfast.doctor.check.Needs;
import dev.holdfast.doctor.node.NodeView;

/**
 * Processors that stopped serving. A virtual machine that was paused by its host looks the same, so
 * there it is not held against the node as strongly.
 */
public final class Lockup implements Check {
  private static final String TYPE = "/sys/hypervisor/type";
  private static final String PRODUCT = "/sys/class/dmi/id/product_name";
  private static final String CLOCK =
      "/sys/devices/system/clocksource/clocksource0/available_clocksource";

  private static final CheckInfo INFO =
      CheckInfo.of(
              "kernel.lockup",
              "Has a processor been stuck in the kernel?",
              FaultClass.SOFTWARE,
              Proof.DOCUMENTED)
          .reads("kernel-log", CLOCK, PRODUCT)
          .needs(Needs.SYSLOG)
          .meaning(
              "Everything on that core stood still for tens of seconds; collective operations of the"
                  + " whole job waited. It comes from a driver, firmware, or failing hardware.")
          .remedy("Reboot the node; the stack after the line names the driver: update it");

  @Override
  public CheckInfo info() {
    return INFO;
  }

  @Override
  public void run(Examination exam) {
    var events = exam.kernel().require("cpu.lockup.hard", "cpu.lockup.soft", "cpu.rcu-stall");
    boolean virtual = !events.isEmpty() && virtual(exam.node());
    boolean told =
        new KernelStory(exam)
            .severity(event -> virtual ? Severity.WARNING : event.severity())
            .tell(events);
    if (!told) {
      exam.pass("none in the kernel log");
    }
  }

  private static boolean virtual(NodeView node) {
    String clocks = node.text(CLOCK).orElse("");
    String product = node.text(PRODUCT).orElse("");
    return node.exists(TYPE)
        || clocks.contains("kvm-clock")
        || clocks.contains("hyperv")
        || product.contains("Virtual")
        || product.contains("KVM");
  }
}
