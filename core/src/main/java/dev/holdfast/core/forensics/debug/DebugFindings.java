package dev.holdfast.core.forensics.debug;

import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A debugger's report in the one vocabulary: each error a finding about the rank. */
public final class DebugFindings {
  private DebugFindings() {}

  /**
   * @param tool memcheck, racecheck, initcheck, synccheck or gdb
   * @param source where the report is
   */
  public static List<Finding> of(DebugReport report, String tool, Subject subject, String source) {
    List<Finding> findings = new ArrayList<>();
    for (DebugError error : report.errors()) {
      List<Evidence> evidence = new ArrayList<>();
      evidence.add(new Evidence(source, error.what() + ", " + times(error.count())));
      if (!error.detail().isEmpty()) {
        evidence.add(new Evidence("first one", error.detail()));
      }
      if (!error.launched().isEmpty()) {
        evidence.add(new Evidence("launched by", error.launched()));
      }
      findings.add(
          new Finding(
              "debug." + tool,
              subject,
              Finding.Kind.EVENT,
              Severity.FATAL,
              FaultClass.USER,
              proof(tool),
              summary(error),
              Optional.empty(),
              evidence,
              meaning(tool),
              error.place().isEmpty()
                  ? "Build with -lineinfo (nvcc) to see the line, then correct the program."
                  : "Correct the program at " + error.place() + "."));
    }
    return findings;
  }

  /** One sentence: what, where, how often. */
  public static String summary(DebugError error) {
    return error.what()
        + (error.kernel().isEmpty() ? "" : " in " + error.kernel())
        + (error.place().isEmpty() ? "" : " at " + error.place())
        + (error.count() > 1 ? ", " + times(error.count()) : "");
  }

  /** Reports of these were seen with a planted fault; of synccheck only without one. */
  private static Proof proof(String tool) {
    return switch (tool) {
      case "memcheck", "racecheck", "initcheck", "gdb" -> Proof.RECORDED;
      default -> Proof.DOCUMENTED;
    };
  }

  private static String times(long count) {
    return count == 1 ? "once" : count + " times";
  }

  private static String meaning(String tool) {
    return switch (tool) {
      case "memcheck" ->
          "A kernel that reads or writes outside of its memory spoils the data of others or ends"
              + " the process, often in a later call.";
      case "racecheck" ->
          "Which of the accesses comes first differs from run to run, and so does the result.";
      case "initcheck" -> "What a kernel reads before anybody wrote it differs from run to run.";
      case "synccheck" ->
          "Threads that do not meet at a barrier hang or go on with half-written data.";
      default -> "The program cannot go on from here; the rank ends and the others wait for it.";
    };
  }
}
