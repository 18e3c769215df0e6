package dev.holdfast.launch.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.ProcessState;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A running supervisor in a process of its own, with the test as its watcher. */
final class Stage implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final Path folder;
  final Process supervisor;
  private final RandomAccessFile orders;
  private final Wire wire = new Wire();

  private Stage(Path folder, Process supervisor, RandomAccessFile orders) {
    this.folder = folder;
    this.supervisor = supervisor;
    this.orders = orders;
  }

  static Stage open(Path folder) throws Exception {
    return with(folder).open();
  }

  static Making with(Path folder) {
    return new Making(
        folder,
        Duration.ofSeconds(30),
        List.of(),
        folder.resolve("console"),
        List.of(),
        "CGROUP,DEATH_SIGNAL");
  }

  /**
   * How a supervisor is started.
   *
   * @param before what it is started through
   * @param console where its output goes
   * @param watcher in place of the one that does what the test writes
   * @param means what it may use to hold the ranks, by names with commas
   */
  record Making(
      Path folder,
      Duration grace,
      List<String> before,
      Path console,
      List<String> watcher,
      String means) {

    Making grace(Duration other) {
      return new Making(folder, other, before, console, watcher, means);
    }

    Making through(String... words) {
      return new Making(folder, grace, List.of(words), console, watcher, means);
    }

    Making console(Path other) {
      return new Making(folder, grace, before, other, watcher, means);
    }

    Making watcher(List<String> command) {
      return new Making(folder, grace, before, console, command, means);
    }

    /** What the supervisor may use, by names with commas. */
    Making means(String names) {
      return new Making(folder, grace, before, console, watcher, names);
    }

    /** With a watcher that uses our own classes and ends what is left. */
    Making realWatcher() {
      return watcher(java(WatcherMain.class, folder.toString()));
    }

    Stage open() throws Exception {
      Stage stage = start();
      stage.await(Event.Ready.class, _ -> true);
      return stage;
    }

    /** Does not wait until it is ready. */
    Stage start() throws Exception {
      Process fifo = new ProcessBuilder("mkfifo", folder.resolve("orders").toString()).start();
      assertThat(fifo.waitFor()).isZero();
      Files.createFile(folder.resolve("events"));
      // Whoever runs the tests in the background may have interrupts ignored, and that is
      // inherited.
      List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
      command.addAll(before);
      List<String> java = java(SupervisorMain.class, folder.toString(), "" + grace.toMillis());
      java.add(1, "-Dmeans=" + means);
      command.addAll(java);
      command.addAll(watcher);
      Process supervisor =
          new ProcessBuilder(command)
              .redirectOutput(console.toFile())
              .redirectError(folder.resolve("errors").toFile())
              .start();
      RandomAccessFile orders = new RandomAccessFile(folder.resolve("orders").toFile(), "rw");
      return new Stage(folder, supervisor, orders);
    }
  }

  static List<String> java(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  void order(Order order) throws IOException {
    raw(wire.line(order));
  }

  void raw(String line) throws IOException {
    orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** A rank that runs a shell script, its output kept and shown. */
  RankSpec rank(int rank, String script) {
    return rank(rank, List.of("/bin/sh", "-c", script));
  }

  RankSpec rank(int rank, List<String> command) {
    String own = folder.resolve("rank" + rank).toString();
    return new RankSpec(
        rank, rank, command, Map.of("RANK", "" + rank), own, 3, 3, "[" + rank + "]: ", "");
  }

  /** Starts an attempt of these scripts and tells the process numbers. */
  List<Long> start(int attempt, String... scripts) throws Exception {
    List<RankSpec> ranks = new ArrayList<>();
    for (String script : scripts) {
      ranks.add(rank(ranks.size(), script));
    }
    order(new Order.Start(attempt, ranks));
    List<Long> pids = new ArrayList<>();
    for (RankSpec rank : ranks) {
      pids.add(
          await(Event.Started.class, it -> it.attempt() == attempt && it.rank() == rank.rank())
              .pid());
    }
    return pids;
  }

  List<Event> events() throws IOException {
    List<Event> events = new ArrayList<>();
    String text = Files.readString(folder.resolve("events"));
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    for (String line : whole.lines().toList()) {
      if (!line.contains("\"hello\"")) {
        events.add(wire.event(line));
      }
    }
    return events;
  }

  <T extends Event> List<T> events(Class<T> kind) throws IOException {
    return events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  <T extends Event> T await(Class<T> kind, Predicate<T> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      for (T event : events(kind)) {
        if (condition.test(event)) {
          return event;
        }
      }
      if (!supervisor.isAlive() && events(kind).stream().noneMatch(condition)) {
        throw new AssertionError("the supervisor ended with " + supervisor.exitValue() + told());
      }
      Thread.sleep(5);
    }
    throw new AssertionError("no " + kind.getSimpleName() + told());
  }

  private String told() throws IOException {
    return "; events:\n"
        + Files.readString(folder.resolve("events"))
        + "errors:\n"
        + Files.readString(folder.resolve("errors"));
  }

  int exitCode() throws Exception {
    assertThat(supervisor.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return supervisor.exitValue();
  }

  String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  /** The process number a rank wrote to a file. */
  long pid(String file) throws Exception {
    until(() -> folder.resolve(file).toFile().length() > 1);
    return Long.parseLong(text(file).strip());
  }

  /** How a rank ended. */
  Event.Exited exited(int rank) throws Exception {
    return await(Event.Exited.class, it -> it.rank() == rank);
  }

  /** The process number of a watcher, the first is 0. */
  long watcher(int which) throws Exception {
    until(() -> watchers().size() > which);
    return watchers().get(which);
  }

  private List<Long> watchers() {
    try {
      return text("watchers").lines().map(Long::parseLong).toList();
    } catch (IOException notYet) {
      return List.of();
    }
  }

  static void until(BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(5);
    }
  }

  static void gone(long pid) throws Exception {
    until(() -> !ProcessState.alive(pid));
  }

  static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, "--", "" + pid).start().waitFor()).isZero();
  }

  @Override
  public void close() throws IOException {
    orders.close();
    try {
      // Asked twice it kills all; a test must not leave anybody to the next one.
      for (int i = 0; i < 50 && supervisor.isAlive(); i++) {
        supervisor.destroy();
        supervisor.waitFor(300, TimeUnit.MILLISECONDS);
      }
      if (supervisor.isAlive()) {
        supervisor.destroyForcibly().waitFor();
      }
      for (long watcher : watchers()) {
        if (ProcessState.alive(watcher)) {
          new ProcessBuilder("kill", "-KILL", "--", "-" + watcher).start().waitFor();
        }
      }
    } catch (InterruptedException interrupted) {
      throw new IOException(interrupted);
    }
  }
}
