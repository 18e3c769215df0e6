package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.text.Hostlist;
import dev.holdfast.core.text.Wrap;
import dev.holdfast.doctor.fleet.FanOut;
import dev.holdfast.doctor.fleet.FleetReport;
import dev.holdfast.doctor.fleet.Transport;
import dev.holdfast.doctor.snapshot.SnapshotArchive;
import dev.holdfast.launch.stacks.StackAnswer;
import dev.holdfast.os.process.CommandResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One command on many nodes, and its answers merged. */
final class FleetRun {
  private static final int PARALLEL = 32;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** {@code slurm-4711}, {@code slurm-4711.2} or {@code 4711}: its nodes are full, but with it. */
  private static final Pattern SLURM_JOB = Pattern.compile("(?:slurm-)?(\\d+)(?:\\.\\d+)?");

  private final Console console;
  private final List<String> hosts;

  FleetRun(Console console, String hostlist) {
    this.console = console;
    this.hosts = Hostlist.expand(hostlist);
  }

  /** Runs {@code holdfast WORDS…} on every host; the program is HOLDFAST_REMOTE or "holdfast". */
  private void run(List<String> words, BiConsumer<String, CommandResult> each) {
    run(words, DEADLINE, "", each);
  }

  private void run(
      List<String> words,
      Duration deadline,
      String slurmJob,
      BiConsumer<String, CommandResult> each) {
    Map<String, String> environment = System.getenv();
    List<String> command = new ArrayList<>();
    command.add(environment.getOrDefault("HOLDFAST_REMOTE", "holdfast"));
    command.addAll(words);
    Transport transport = Transport.choose(environment);
    List<String> options = new ArrayList<>(transport.options(environment));
    if (transport == Transport.SRUN
        && !slurmJob.isEmpty()
        && options.stream().noneMatch(option -> option.startsWith("--jobid"))) {
      options.add("--jobid=" + slurmJob);
    }
    FanOut fanOut = new FanOut(transport, PARALLEL, deadline, options);
    fanOut.run(hosts, command, each, (done, total) -> console.progress("nodes", done, total));
  }

  /**
   * The merged answer of {@code doctor} on every host; the exit code follows the worst of them. A
   * host that did not answer is no healthy host, so without findings it makes the exit code 3.
   */
  int doctor(List<String> words, ReportFormat format, Severity threshold) {
    List<String> command = new ArrayList<>(List.of("doctor", "--format", "jsonl"));
    command.addAll(words);
    Map<String, CommandResult> results = new TreeMap<>();
    run(command, results::put);
    FleetReport fleet = FleetReport.of(results);
    console.answer(format == ReportFormat.TABLE ? table(fleet) : fleet.toJson());
    if (fleet.failsOn(threshold)) {
      return 1;
    }
    return fleet.silent().isEmpty() ? 0 : 3;
  }

  /**
   * Brings a snapshot of every host into a folder. An archive is checked before it is written, so
   * that what lies there can be read.
   */
  int snapshots(List<String> words, @Nullable String folder, BiConsumer<Path, byte[]> write) {
    Path target = Path.of(folder == null ? "." : folder);
    if (!Files.isDirectory(target)) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, target + " is not a folder; -w needs one for its files");
    }
    List<String> command = new ArrayList<>(List.of("snapshot", "--base64"));
    command.addAll(words);
    List<String> brought = new ArrayList<>();
    Map<String, String> silent = new TreeMap<>();
    run(
        command,
        (host, result) -> {
          try {
            byte[] archive = Base64.getMimeDecoder().decode(result.output());
            SnapshotArchive.read("what came back", new ByteArrayInputStream(archive));
            write.accept(target.resolve("holdfast-" + host + ".zip"), archive);
            brought.add(host);
          } catch (IllegalArgumentException | IOException | HoldfastException e) {
            silent.put(host, result.succeeded() ? String.valueOf(e.getMessage()) : result.why());
          }
        });
    StringBuilder out = new StringBuilder();
    out.append("%d of %d nodes recorded in %s\n".formatted(brought.size(), hosts.size(), target));
    silent(out, silent);
    console.answer(out.toString());
    return silent.isEmpty() ? 0 : brought.isEmpty() ? 3 : 1;
  }

  /**
   * The stacks of a job's ranks on every host.
   *
   * @param sampling as long as each of them may need
   */
  StackAnswer stacks(String job, List<String> words, Duration sampling) {
    List<String> command = new ArrayList<>(List.of("stacks", "--job", job, "--samples-as-json"));
    command.addAll(words);
    Matcher slurm = SLURM_JOB.matcher(job);
    Map<String, StackAnswer> answers = new TreeMap<>();
    Map<String, String> silent = new TreeMap<>();
    run(
        command,
        DEADLINE.plus(sampling),
        slurm.matches() ? slurm.group(1) : "",
        (host, result) -> {
          try {
            answers.put(host, StackAnswer.of(result.output()));
          } catch (IllegalArgumentException e) {
            silent.put(host, result.succeeded() ? String.valueOf(e.getMessage()) : said(result));
          }
        });
    StackAnswer all = StackAnswer.merged(answers);
    List<String> notAsked = new ArrayList<>(all.notAsked());
    byReason(silent).forEach((why, hosts) -> notAsked.add(Hostlist.compress(hosts) + ": " + why));
    return new StackAnswer(all.rounds(), all.elsewhere(), notAsked);
  }

  /** The error it named, else the last it said: more than its exit code. */
  private static String said(CommandResult result) {
    List<String> lines = result.error().lines().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .filter(line -> line.startsWith("holdfast: HF-"))
        .findFirst()
        .map(line -> line.substring("holdfast: ".length()))
        .orElse(lines.isEmpty() ? result.why() : lines.getLast().strip());
  }

  private String table(FleetReport fleet) {
    StringBuilder out = new StringBuilder();
    out.append("%d of %d nodes answered\n".formatted(fleet.reports().size(), hosts.size()));
    for (FleetReport.Group group : fleet.groups()) {
      String severity = "%-10s".formatted(group.severity().word().toUpperCase(Locale.ROOT));
      out.append('\n')
          .append(
              group.severity().atLeast(Severity.DEGRADED)
                  ? console.style().red(severity)
                  : console.style().yellow(severity))
          .append(console.style().bold(group.check()))
          .append(
              "  %d %s: %s\n"
                  .formatted(
                      group.nodes().size(),
                      group.nodes().size() == 1 ? "node" : "nodes",
                      Hostlist.compress(group.nodes())));
      field(out, "what", group.summary());
      field(out, "fix", group.remedy());
    }
    silent(out, fleet.silent());
    return out.toString();
  }

  /** Hosts that did not answer, those with the same reason together. */
  private void silent(StringBuilder out, Map<String, String> reasons) {
    byReason(reasons)
        .forEach(
            (why, silent) ->
                field(out.append('\n'), "silent", Hostlist.compress(silent) + ": " + why));
  }

  private static Map<String, List<String>> byReason(Map<String, String> reasons) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    reasons.forEach((host, why) -> byReason.computeIfAbsent(why, _ -> new ArrayList<>()).add(host));
    return byReason;
  }

  private void field(StringBuilder out, String label, String text) {
    out.append(console.style().dim("  %-8s".formatted(label)))
        .append(Wrap.hanging(text, 10, console.width()))
        .append('\n');
  }
}
