package dev.holdfast.agent;

import dev.holdfast.agent.kernel.KernelWatch;
import dev.holdfast.agent.link.Sender;
import dev.holdfast.agent.memory.Memory;
import dev.holdfast.agent.metrics.MetricsServer.Health;
import dev.holdfast.agent.watch.Watch;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Outcome;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.text.MetricsText;
import dev.holdfast.doctor.check.CheckResult;
import dev.holdfast.os.process.Heartbeats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** What the agent shows of the node and of itself. */
final class Figures {
  private final String node;
  private final String version;
  private final Map<String, CheckResult> latest = new ConcurrentSkipListMap<>();

  Figures(String node, String version) {
    this.node = node;
    this.version = version;
  }

  void took(List<CheckResult> results) {
    results.forEach(result -> latest.put(result.info().id(), result));
  }

  String text(
      Memory memory,
      Watch watch,
      Optional<KernelWatch> kernel,
      Optional<Sender> sender,
      Optional<String> cordoned) {
    MetricsText text = new MetricsText();
    text.metric("holdfast_agent_info", "gauge", "1; see the labels.")
        .value("holdfast_agent_info", 1, "node", node, "version", version);
    text.metric("holdfast_check_outcome", "gauge", "1 for the outcome the check had last.");
    for (CheckResult result : latest.values()) {
      for (Outcome outcome : Outcome.values()) {
        int value = outcome == result.outcome() ? 1 : 0;
        String id = result.info().id();
        text.value("holdfast_check_outcome", value, "check", id, "outcome", outcome.word());
      }
    }
    text.metric("holdfast_finding", "gauge", "1 for every finding; see the labels.");
    for (CheckResult result : latest.values()) {
      for (Finding finding : result.findings()) {
        text.value(
            "holdfast_finding",
            1,
            "check",
            finding.check(),
            "subject",
            finding.subject().toString(),
            "severity",
            finding.severity().word(),
            "class",
            finding.faultClass().word());
      }
    }
    gauge(
        text,
        "holdfast_agent_connected",
        "1 while the control plane answers.",
        sender.filter(Sender::connected).isPresent() ? 1 : 0);
    gauge(
        text,
        "holdfast_agent_waiting_reports",
        "Reports not yet received by the control plane.",
        memory.waitingReports());
    gauge(text, "holdfast_agent_waiting_bytes", "Their size.", memory.waitingBytes());
    gauge(text, "holdfast_agent_epoch", "Which life of the agent this is.", memory.epoch());
    gauge(
        text, "holdfast_agent_checks_stuck", "Checks that do not come back.", watch.stuck().size());
    gauge(
        text,
        "holdfast_agent_cordoned",
        "1 while the site's means keep new jobs away.",
        cordoned.isPresent() ? 1 : 0);
    counter(
        text,
        "holdfast_agent_reports_refused_total",
        "Reports the control plane acknowledged and did not take in.",
        sender.map(Sender::refused).orElse(0L));
    counter(
        text,
        "holdfast_agent_rounds_late_total",
        "Rounds that were due while the one before still ran.",
        watch.late());
    counter(
        text,
        "holdfast_agent_kernel_lines_total",
        "Lines of the kernel log read.",
        kernel.map(KernelWatch::lines).orElse(0L));
    counter(
        text,
        "holdfast_agent_kernel_events_total",
        "Events decoded from them.",
        kernel.map(KernelWatch::events).orElse(0L));
    counter(
        text,
        "holdfast_agent_kernel_told_total",
        "Reports made of those events.",
        kernel.map(KernelWatch::told).orElse(0L));
    counter(
        text,
        "holdfast_agent_kernel_missed_total",
        "Lines overwritten before they could be read.",
        kernel.map(KernelWatch::missed).orElse(0L));
    return text.toString();
  }

  private static void gauge(MetricsText text, String name, String help, double value) {
    text.one(name, "gauge", help, value);
  }

  private static void counter(MetricsText text, String name, String help, double value) {
    text.one(name, "counter", help, value);
  }

  /** Well means that it looks; that the control plane is away is not the agent's illness. */
  Health health(
      List<Heartbeats.Late> late,
      Memory memory,
      Watch watch,
      Optional<KernelWatch> kernel,
      Optional<Sender> sender) {
    boolean well = late.isEmpty();
    String log = kernel.map(KernelWatch::trouble).orElse("not followed");
    return new Health(
        well,
        Json.line(
                Json.map(
                    "schema",
                    "holdfast.agenthealth/1",
                    "node",
                    node,
                    "well",
                    well,
                    "late",
                    late.stream().map(Heartbeats.Late::json).toList(),
                    "controlPlane",
                    sender.map(it -> it.connected() ? "connected" : it.trouble()).orElse("none"),
                    "kernelLog",
                    log.isEmpty() ? "followed" : log,
                    "state",
                    memory.trouble().isEmpty() ? "kept" : memory.trouble(),
                    "waitingReports",
                    memory.waitingReports(),
                    "stuckChecks",
                    List.copyOf(watch.stuck().keySet())))
            + "\n");
  }
}
