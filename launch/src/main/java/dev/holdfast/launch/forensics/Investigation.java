package dev.holdfast.launch.forensics;

import dev.holdfast.core.forensics.Diagnosis;
import dev.holdfast.core.forensics.FailureClass;
import dev.holdfast.core.forensics.FailureRule;
import dev.holdfast.core.forensics.FailureRules;
import dev.holdfast.core.forensics.flight.Cause;
import dev.holdfast.core.forensics.flight.FlightAnalysis;
import dev.holdfast.core.forensics.flight.Recordings;
import dev.holdfast.core.forensics.logs.LogSource;
import dev.holdfast.core.forensics.logs.LogSuspicion;
import dev.holdfast.core.forensics.logs.LogVerdict;
import dev.holdfast.core.forensics.logs.LogVolume;
import dev.holdfast.core.forensics.stacks.StackTree;
import dev.holdfast.core.forensics.stacks.Standstill;
import dev.holdfast.core.forensics.verdict.Clue;
import dev.holdfast.core.forensics.verdict.Conclusion;
import dev.holdfast.core.forensics.verdict.Source;
import dev.holdfast.core.forensics.verdict.Verdict;
import dev.holdfast.launch.report.RunReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything that lies in a folder about a run that stopped, and what follows from all of it.
 *
 * @param job as the run calls itself, empty: it does not
 * @param world how many ranks it has, as far as it is known
 * @param conclusions best first; never empty
 * @param recordings flight recorder dumps, where there are some
 * @param logs what the logs tell, where there are some
 * @param report the run's own story, where there is one
 * @param stacks of ranks that were looked at; empty: none were
 * @param sources one line for each kind of evidence: what was read
 * @param trouble what could not be read
 */
public record Investigation(
    String job,
    int world,
    List<Conclusion> conclusions,
    Optional<Recordings> recordings,
    Optional<LogVerdict> logs,
    Optional<RunReport> report,
    StackTree stacks,
    List<String> sources,
    List<String> trouble) {
  private static final int MOST_STANDS = 8;

  /** Whether anything was found to judge by. */
  public boolean empty() {
    return sources.isEmpty();
  }

  /**
   * Reads a run's folder, or one with dumps and logs, or a single log.
   *
   * @param ranks how many there should be, 0: whoever is named
   */
  public static Investigation of(Path folder, int ranks) throws IOException {
    Reading reading = new Reading(ranks);
    if (!Files.exists(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    if (!Files.isDirectory(folder)) {
      reading.logs(LogFolder.sources(folder));
    } else if (RunEvidence.in(folder)) {
      reading.run(RunEvidence.read(folder));
    } else {
      List<LogSource> logs = LogFolder.sources(folder);
      // A name that ends with a number may be a log, too.
      reading.dumps(
          logs.isEmpty() || !FlightFolder.dumps(folder).isEmpty()
              ? FlightFolder.files(folder)
              : Map.of());
      reading.logs(logs);
    }
    return reading.done();
  }

  /** Reads files that were named: logs, whatever they are called. */
  public static Investigation of(List<Path> files) {
    Reading reading = new Reading(0);
    reading.logs(LogFolder.named(files));
    return reading.done();
  }

  /** Reads one log that comes in by a pipe. */
  public static Investigation of(InputStream in) {
    Reading reading = new Reading(0);
    reading.logs(List.of(LogFolder.of(in)));
    return reading.done();
  }

  /** Sources one after the other. */
  private static final class Reading {
    private final int ranks;
    private String job = "";
    private final List<Clue> clues = new ArrayList<>();
    private Map<Integer, String> nodes = new TreeMap<>();
    private Optional<Recordings> recordings = Optional.empty();
    private Optional<LogVerdict> logs = Optional.empty();
    private Optional<RunReport> report = Optional.empty();
    private final StackTree stacks = new StackTree();
    private final List<String> sources = new ArrayList<>();
    private final List<String> trouble = new ArrayList<>();

    Reading(int ranks) {
      this.ranks = ranks;
    }

    void run(RunEvidence run) {
      job = run.job();
      nodes = run.nodes();
      trouble.addAll(run.trouble());
      report = run.moments().isEmpty() ? report : Optional.of(RunReport.of(run.moments()));
      sources.add(
          run.attempt() < 0
              ? "launcher: no attempt was begun"
              : "launcher: attempt %d, %d ranks".formatted(run.attempt(), nodes.size()));
      run.diagnosis().ifPresent(it -> clues.add(Clue.of(it, next(it))));
      seen(run.seen());
      dumps(run.dumps());
      logs(run.logs());
    }

    void logs(List<LogSource> files) {
      if (files.isEmpty()) {
        return;
      }
      LogVerdict read = LogFolder.read(files);
      LogVolume volume = read.volume();
      trouble.addAll(volume.unreadable());
      boolean beside = recordings.isPresent() && volume.ranks() == 0;
      if (volume.files() == 0 || volume.bytes() == 0 || beside && silent(read)) {
        return;
      }
      logs = Optional.of(read);
      sources.add(
          "logs: %d %s, %s"
              .formatted(volume.files(), volume.files() == 1 ? "file" : "files", told(volume)));
      read.suspicions().forEach(one -> clues.add(clue(one)));
    }

    /** A note beside the dumps is no log. */
    private static boolean silent(LogVerdict read) {
      return read.findings().isEmpty()
          && !read.first().blames()
          && read.first().kind() == FailureClass.UNKNOWN;
    }

    private static String told(LogVolume volume) {
      String lines = "%d %s".formatted(volume.lines(), volume.lines() == 1 ? "line" : "lines");
      if (volume.ranks() > 0) {
        return lines
            + " of %d %s".formatted(volume.ranks(), volume.ranks() == 1 ? "rank" : "ranks");
      }
      return volume.lines() > 0 ? lines + ", no rank named" : "of the kernel";
    }

    private static Clue clue(LogSuspicion one) {
      List<String> evidence = new ArrayList<>(one.evidence());
      if (one.rule().equals("start.port-taken")) {
        PortHolder.of(String.join(" ", one.evidence())).ifPresent(evidence::add);
      }
      return new Clue(
          Source.LOGS,
          one.ranks(),
          one.node(),
          one.gpu(),
          one.kind().word(),
          one.confidence(),
          one.what(),
          evidence,
          one.missing(),
          one.next());
    }

    private static String next(Diagnosis diagnosis) {
      return FailureRules.byId(diagnosis.rule()).map(FailureRule::remedy).orElse(Cause.HANG.next());
    }

    private void seen(List<Standstill.Seen> seen) {
      if (seen.isEmpty()) {
        return;
      }
      long with = seen.stream().filter(one -> !one.stacks().isEmpty()).count();
      sources.add("stacks: %d of %d ranks looked at".formatted(with, seen.size()));
      seen.forEach(one -> one.stacks().forEach(stack -> stacks.add(one.rank(), stack)));
      Standstill standstill = Standstill.of(seen);
      List<Integer> awaited = standstill.awaited();
      if (!awaited.isEmpty()) {
        clues.add(
            new Clue(
                Source.STACKS,
                awaited,
                "",
                -1,
                Cause.HANG.word(),
                standstill.confidence(),
                standstill.what(),
                standstill.evidence(MOST_STANDS),
                List.of(),
                Cause.HANG.next()));
      }
    }

    void dumps(Map<Integer, Path> files) {
      if (files.isEmpty()) {
        return;
      }
      Recordings read = FlightFolder.read(files, Math.max(ranks, nodes.size()));
      recordings = Optional.of(read);
      trouble.addAll(read.unreadable().values());
      sources.add(
          "flight recorder: %d dumps, %d entries".formatted(read.flights().size(), read.entries()));
      if (!read.flights().isEmpty()) {
        clues.addAll(Clue.ofFlights(FlightAnalysis.of(read)));
      }
    }

    Investigation done() {
      return new Investigation(
          job,
          Math.max(
              Math.max(nodes.size(), recordings.map(Recordings::world).orElse(0)),
              logs.map(it -> it.volume().world()).orElse(0)),
          Verdict.of(clues, nodes),
          recordings,
          logs,
          report,
          stacks,
          sources,
          trouble);
    }
  }
}
