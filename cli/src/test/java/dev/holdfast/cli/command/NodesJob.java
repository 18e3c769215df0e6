package dev.holdfast.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.report.Kinds;
import dev.holdfast.launch.report.Moment;
import dev.holdfast.launch.report.TimelineFile;
import dev.holdfast.testing.HoldfastProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The example training under `holdfast run` on hosts of its own, two ranks each, with checkpoints
 * in a folder all share. Each rank also notes that it lives, whatever its training waits for, so
 * that who ran when can be told afterwards.
 */
final class NodesJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern SUM = Pattern.compile("weights sha256 (\\w{64})");
  private static final int RANKS = 2;
  private static final int RESTARTS = 3;

  /** Runs the program in its arguments, with a thread that notes the time, in nanoseconds. */
  private static final String LIVING =
      """
      import os, runpy, sys, threading, time

      def note(path):
          with open(path, "a", buffering=1) as file:
              while True:
                  file.write("%d\\n" % time.monotonic_ns())
                  time.sleep(0.02)

      path = os.path.join(os.path.dirname(os.environ["HOLDFAST_BEAT_FILE"]), "alive")
      threading.Thread(target=note, args=(path,), daemon=True).start()
      sys.argv = sys.argv[1:]
      sys.path[0] = os.path.dirname(sys.argv[0])
      runpy.run_path(sys.argv[0], run_name="__main__")
      """;

  private final String name;
  private final Path folder;
  private final Hosts hosts;
  private final Map<Integer, Process> launchers = new TreeMap<>();

  private NodesJob(String name, Path folder, Hosts hosts) {
    this.name = name;
    this.folder = folder;
    this.hosts = hosts;
  }

  static NodesJob prepare(String name, Path folder, int count) {
    return new NodesJob(name, folder, Hosts.make(name, count));
  }

  Hosts hosts() {
    return hosts;
  }

  Process launcher(int host) {
    return Objects.requireNonNull(launchers.get(host));
  }

  /**
   * Starts a launcher on each host. The first host's comes when the others look for it, so that all
   * are there when the first attempt begins, however busy the machine is.
   */
  void start(double stepSeconds, String... options) throws Exception {
    Path program = Files.writeString(folder.resolve("living.py"), LIVING);
    List<String> line =
        HoldfastProgram.command(
            List.of("-XX:TieredStopAtLevel=1"),
            List.of(
                "run",
                "--rdzv-endpoint=10.77.0.1:29400",
                "--rdzv-id=" + name,
                "--nproc-per-node=" + RANKS,
                "--max-restarts=" + RESTARTS,
                "--log-dir=" + logs(),
                "--checkpoint-dir=" + folder.resolve(name + ".checkpoints")));
    line.addAll(List.of(options));
    line.addAll(
        List.of(
            program.toString(),
            Path.of("../examples/train.py").toRealPath().toString(),
            "--steps=60",
            "--step-seconds=" + stepSeconds));
    for (int host = hosts.count(); host > 1; host--) {
      launch(host, line);
    }
    await(() -> timelines().size() == hosts.count() - 1, "the launchers of " + name);
    launch(1, line);
  }

  private void launch(int host, List<String> line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(hosts.on(host, line)).redirectErrorStream(true);
    builder.redirectOutput(log(host).toFile());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state-n" + host).toString());
    builder.environment().put("PYTHON_EXEC", "/usr/bin/python3");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    launchers.put(host, builder.start());
  }

  private Path logs() {
    return folder.resolve(name + ".logs");
  }

  private Path log(int host) {
    return folder.resolve(name + ".n" + host + ".log");
  }

  /** What the launcher of a host and its ranks wrote. */
  String output(int host) {
    return text(log(host));
  }

  private String everything() {
    StringBuilder all = new StringBuilder();
    launchers.keySet().forEach(i -> all.append("\n== n" + i + "\n").append(output(i)));
    return all.toString();
  }

  void awaitStep(int host, int step) throws InterruptedException {
    await(() -> output(host).contains("step " + step + " loss"), "step " + step + " of " + name);
  }

  void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("still waiting for " + what + everything());
      }
      Thread.sleep(50);
    }
  }

  /** Kills a rank on the host. */
  void killRank(int host) {
    hosts.processes(host).stream()
        .filter(process -> environ(process).contains("\0RANK="))
        .findFirst()
        .orElseThrow()
        .destroyForcibly();
  }

  private static String environ(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
      return "\0" + Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  /** What became of the run, by the launcher of this host. */
  Fields report(int host) {
    return Fields.of("run.json", Json.read(text(nodeFolders().get(host - 1).resolve("run.json"))));
  }

  /** No process of the job is left on the host, store and ranks included. */
  void awaitNothingOn(int host) throws InterruptedException {
    await(() -> hosts.processes(host).isEmpty(), "the end of everything on n" + host);
  }

  /** Waits for the good end of these hosts' launchers; what the weights came to. */
  String weights(int... ending) throws InterruptedException {
    StringBuilder output = new StringBuilder();
    for (int host : ending) {
      assertEndsWith(host, 0);
      output.append(output(host));
    }
    Matcher found = SUM.matcher(output);
    assertThat(found.find()).as(everything()).isTrue();
    return found.group(1);
  }

  void assertEndsWith(int host, int exitCode) throws InterruptedException {
    boolean ended = launcher(host).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended).as("the end of n%d: %s", host, everything()).isTrue();
    assertThat(launcher(host).exitValue()).as("n%d: %s", host, everything()).isEqualTo(exitCode);
  }

  /** How many attempts have had ranks. */
  int attempts() {
    return lives().size();
  }

  void assertMembers(int attempt, String... nodes) {
    List<String> folders = new ArrayList<>();
    for (Path node : nodeFolders()) {
      if (Files.exists(node.resolve("attempt_" + attempt))) {
        folders.add(String.valueOf(node.getFileName()).substring(name.length() + 1));
      }
    }
    assertThat(folders).as(everything()).containsExactly(nodes);
  }

  /**
   * No rank of an attempt lived when one of a later one did, by what they noted themselves; and no
   * launcher started one before those that saw ranks of the attempt before end had seen it.
   */
  void assertOneAttemptAtATime() {
    List<Life> lives = lives();
    assertThat(lives).as(everything()).hasSizeGreaterThan(1);
    for (int i = 0; i + 1 < lives.size(); i++) {
      Life life = lives.get(i);
      Life next = lives.get(i + 1);
      assertThat(life.last()).as("%s, then %s", life, next).isLessThan(next.first());
      long nextStart =
          moments(Kinds.RANK_STARTED)
              .filter(started -> started.attempt() == next.attempt())
              .mapToLong(Moment::monotonicNanos)
              .min()
              .orElseThrow();
      assertThat(moments(Kinds.RANK_EXITED).filter(end -> end.attempt() == life.attempt()))
          .isNotEmpty()
          .allSatisfy(end -> assertThat(end.monotonicNanos()).isLessThan(nextStart));
    }
  }

  /** When the first and the last of an attempt's ranks said that they live, in nanoseconds. */
  private record Life(int attempt, long first, long last) {}

  private List<Life> lives() {
    List<Life> lives = new ArrayList<>();
    for (int attempt = 0; attempt <= RESTARTS; attempt++) {
      LongSummaryStatistics times = new LongSummaryStatistics();
      for (Path node : nodeFolders()) {
        for (int rank = 0; rank < RANKS; rank++) {
          Path file = node.resolve("attempt_" + attempt + "/" + rank + "/alive");
          if (Files.exists(file)) {
            text(file).lines().mapToLong(Long::parseLong).forEach(times);
          }
        }
      }
      if (times.getCount() > 0) {
        lives.add(new Life(attempt, times.getMin(), times.getMax()));
      }
    }
    return lives;
  }

  private Stream<Moment> moments(String kind) {
    return timelines().stream()
        .flatMap(
            file -> {
              try {
                return TimelineFile.read(file).moments().stream();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .filter(moment -> moment.kind().equals(kind));
  }

  private List<Path> timelines() {
    return nodeFolders().stream()
        .map(folder -> folder.resolve("timeline.log"))
        .filter(Files::exists)
        .toList();
  }

  private List<Path> nodeFolders() {
    return IntStream.rangeClosed(1, hosts.count())
        .mapToObj(host -> logs().resolve(name + "_n" + host))
        .toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    hosts.close();
  }
}
