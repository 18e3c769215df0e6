package dev.holdfast.cli.command;

import dev.holdfast.bench.ledger.LedgerRun;
import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.node.LiveNode;
import dev.holdfast.launch.tell.AgentLine;
import dev.holdfast.os.net.LocalService;
import dev.holdfast.os.place.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Tells the agent of this node what a benchmark says of it, when asked to. */
final class AgentReport {
  static final String CHECK = "bench.net.slow";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Option(
      names = "--report",
      description =
          "Tell the agent of this node, and so the control plane: too little is a finding, enough"
              + " ends it. Only of what ranks of this node measured.")
  private boolean report;

  @Option(
      names = "--agent-socket",
      paramLabel = "FILE",
      description = "Where the agent listens. Default: where `holdfast run` finds it.")
  private @Nullable Path given;

  /** A verdict is told or nothing. */
  void require(boolean judged, String options) {
    if (report && !judged) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "--report tells a verdict: give " + options + ", too");
    }
  }

  /**
   * A verdict about ranks of several hosts says nothing certain of the one where they were started.
   */
  void requireHere(boolean elsewhere) {
    if (report && elsewhere) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--report tells the agent of this node of this node alone, but ranks run on other hosts"
              + " and any of them may be to blame: leave --report out and read the figures, find"
              + " the node with `holdfast bench net pairs --blame`, or run it with --report on the"
              + " node itself");
    }
  }

  /**
   * The same of a run that was kept, by the hosts it names. Where it names none, it is believed.
   */
  void requireHere(LedgerRun run) {
    String here = NetMeasuring.host();
    boolean elsewhere = run.manifest().hosts().stream().anyMatch(it -> !same(it, here));
    if (report && elsewhere) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE,
          "--report tells the agent of this node, %s, of this node alone, but %s was measured on %s:"
                  .formatted(here, run.id(), String.join(", ", run.manifest().hosts()))
              + " any of them may be to blame. Leave --report out, or give the command on the node"
              + " that measured it alone");
    }
  }

  /** By their whole names, or by the first word where one of them has no more; "root@n1" is n1. */
  private static boolean same(String host, String here) {
    String name = host.substring(host.indexOf('@') + 1);
    return name.equals(here)
        || name.matches("localhost|127\\.[0-9.]+|::1")
        || name.startsWith(here + ".")
        || here.startsWith(name + ".");
  }

  /**
   * @param losses what is too little, a sentence each; none when all is well
   */
  void tell(LedgerRun run, List<String> losses, Console console) {
    if (!report) {
      return;
    }
    Subject.Node node = new Subject.Node(LiveNode.name(System.getenv()));
    Statement statement =
        losses.isEmpty()
            ? new Statement.Cleared(CHECK, node, "measured again, and it is enough")
            : new Statement.Raised(finding(run, node, losses), 1);
    send(given != null ? given : socket(), statement);
    console.message(
        "told the agent: " + (losses.isEmpty() ? "enough" : "too little") + " (" + CHECK + ")");
  }

  private static Finding finding(LedgerRun run, Subject.Node node, List<String> losses) {
    String source = run.id().isEmpty() ? "holdfast bench net" : "holdfast bench show " + run.id();
    List<Evidence> evidence = losses.stream().map(it -> new Evidence(source, it)).toList();
    return new Finding(
        CHECK,
        node,
        Finding.Kind.CONDITION,
        Severity.DEGRADED,
        FaultClass.NETWORK,
        Proof.RECORDED,
        "the network gives less than it should: " + losses.getFirst(),
        Optional.of(run.time()),
        evidence,
        "Every step of a training job waits for the slowest of its ranks, so one node below the"
            + " others slows all of them.",
        "holdfast doctor --level full on this node, then holdfast bench blame with its neighbours:"
            + " is it the node, its adapter, a cable or the leaf?");
  }

  private static Path socket() {
    return AgentLine.place(System.getenv(), Places.ofThisProcess().runtime())
        .orElseThrow(
            () -> new HoldfastException(ErrorCode.NOT_REPORTED, "HOLDFAST_AGENT_SOCKET is off"));
  }

  private static void send(Path socket, Statement statement) {
    Map<String, @Nullable Object> line = Json.map("kind", statement.kind());
    line.putAll(statement.json());
    String error;
    try {
      String answer = LocalService.ask(socket, Json.line(line), PATIENCE);
      error = Fields.of("agent", Json.object(answer)).text("error", "");
    } catch (IOException | IllegalArgumentException problem) {
      String why =
          problem instanceof IOException unheard
              ? Failures.why(unheard)
              : String.valueOf(problem.getMessage());
      throw new HoldfastException(ErrorCode.NOT_REPORTED, socket + ": " + why, problem);
    }
    if (!error.isEmpty()) {
      throw new HoldfastException(ErrorCode.NOT_REPORTED, "the agent says: " + error);
    }
  }
}
