package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Training under {@code holdfast run} in real processes, to be disturbed: does it end with the same
 * weights? Programs say {@code step 7 loss …} and, at the end, {@code weights sha256 …}.
 */
public final class TrainingJobs implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Pattern SUM = Pattern.compile("weights sha256 (\\w{64})");

  private final Path folder;
  private final Map<String, String> environment;
  private final List<Job> jobs = new ArrayList<>();

  /**
   * @param folder for all they leave behind
   * @param environment on top of this process's own
   */
  public TrainingJobs(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = Map.copyOf(environment);
  }

  /** Starts a launcher on the class path of this test; its output goes to a file of this name. */
  public Job start(String name, List<String> options, List<String> program) throws IOException {
    List<String> line =
        HoldfastProgram.command(List.of(), List.of("run", "--log-dir=" + folder.resolve("logs")));
    line.addAll(options);
    line.addAll(program);
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("HOLDFAST_STATE_DIR", folder.resolve("state").toString());
    builder.environment().put("GLOO_SOCKET_IFNAME", "lo");
    builder.environment().putAll(environment);
    Job job = new Job(builder.start(), log);
    jobs.add(job);
    return job;
  }

  /** Ends what still runs. */
  @Override
  public void close() throws InterruptedException {
    for (Job job : jobs) {
      List<ProcessHandle> below = job.launcher().descendants().toList();
      job.launcher().destroyForcibly().waitFor(20, TimeUnit.SECONDS);
      below.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Waits until it holds; fails when that takes minutes. */
  public static void await(BooleanSupplier condition, String what) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting for " + what).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  /** A launcher that runs, and what it and its ranks wrote. */
  public record Job(Process launcher, Path log) {

    public String output() {
      try {
        return Files.readString(log);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public void awaitStep(int step) throws InterruptedException {
      await(() -> !launcher.isAlive() || output().contains("step " + step + " loss"), "a step");
      assertThat(launcher.isAlive()).as(output()).isTrue();
    }

    /** Waits for the end, which must be a good one; what the weights came to. */
    public String sum() throws InterruptedException {
      boolean ended = launcher.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(output()).isTrue();
      assertThat(launcher.exitValue()).as(output()).isZero();
      Matcher found = SUM.matcher(output());
      assertThat(found.find()).as(output()).isTrue();
      return found.group(1);
    }

    /** The process of a rank, found by its environment. */
    public ProcessHandle rank(int rank) {
      return below("environ", "RANK=" + rank);
    }

    /** The process with such a word on its command line. */
    public ProcessHandle running(String word) {
      return below("cmdline", word);
    }

    private ProcessHandle below(String file, String word) {
      try (Stream<ProcessHandle> below = launcher.descendants()) {
        return below.filter(it -> words(it, file).contains(word)).findFirst().orElseThrow();
      }
    }

    private static List<String> words(ProcessHandle process, String file) {
      try {
        Path path = Path.of("/proc", Long.toString(process.pid()), file);
        return List.of(Files.readString(path, StandardCharsets.ISO_8859_1).split("\0"));
      } catch (IOException gone) {
        return List.of();
      }
    }
  }
}
