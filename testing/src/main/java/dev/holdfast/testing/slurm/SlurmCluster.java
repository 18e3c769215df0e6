package dev.holdfast.testing.slurm;

import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A Slurm of a test's own: real munged, slurmctld and a slurmd for each node, of Debian's packages,
 * on this machine, in a temporary folder and on ports of their own. Every daemon can be killed and
 * started again; with {@link SlurmPlan#onOwnHosts} a node's cable can be cut.
 *
 * <p>Nodes are called node1, node2, …, have host names of their own and know each other by them.
 */
public final class SlurmCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String CONTROLLER = "controller";
  private static final String REST = "slurmrestd";

  private final SlurmFiles files;
  private final SlurmHosts hosts;
  private final Map<String, Process> daemons = new TreeMap<>();
  private final Thread atExit = new Thread(this::endAll, "slurm-cleanup");

  private SlurmCluster(SlurmFiles files, SlurmHosts hosts) {
    this.files = files;
    this.hosts = hosts;
  }

  /** Skips the calling test where Slurm, or the right to run it, is missing. */
  static SlurmCluster start(SlurmPlan plan) throws IOException, InterruptedException {
    Tools.require("munged", "munge");
    Tools.require("slurmctld", "slurmctld");
    Tools.require("slurmd", "slurmd");
    Tools.require("scontrol", "slurm-client");
    Tools.require(
        "root".equals(System.getProperty("user.name")), "needs root, as whom slurmd starts jobs");
    SlurmCluster cluster =
        new SlurmCluster(
            SlurmFiles.make(plan),
            plan.ownHosts() ? SlurmHosts.namespaces(plan.nodes()) : SlurmHosts.loopback());
    try {
      cluster.up();
      return cluster;
    } catch (Throwable incomplete) {
      cluster.close();
      throw incomplete;
    }
  }

  private void up() throws IOException, InterruptedException {
    Runtime.getRuntime().addShutdownHook(atExit);
    for (int gpu = 0; gpu < files.plan().gpus(); gpu++) {
      Said made = Said.by(List.of("mknod", files.device(gpu).toString(), "c", "1", "3"));
      Tools.require(made.succeeded(), "needs the right to make device files: " + made.text());
    }
    addresses();
    files.clients(hosts.separate() ? atController() : List.of());
    startMunge();
    startController();
    for (int node = 1; node <= nodes(); node++) {
      startNode(node);
    }
    await(
        "all nodes to be idle",
        () -> sinfo().lines().filter(it -> it.endsWith(" idle")).count() == nodes());
  }

  /** Free ports: all are taken at once, so that none comes twice, then freed for the daemons. */
  private void addresses() throws IOException {
    List<ServerSocket> taken = new ArrayList<>();
    try {
      for (int i = 0; i <= nodes(); i++) {
        taken.add(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
      }
      StringBuilder names = new StringBuilder("127.0.0.1 localhost\n");
      names.append("%s %s%n".formatted(hosts.controllerAddress(), CONTROLLER));
      List<String> lines = new ArrayList<>();
      for (int node = 1; node <= nodes(); node++) {
        names.append("%s node%d%n".formatted(hosts.address(node), node));
        lines.add(
            "NodeAddr=%s Port=%d".formatted(hosts.address(node), taken.get(node).getLocalPort()));
      }
      files.names(names.toString());
      files.configure(
          "%s(%s)".formatted(CONTROLLER, hosts.controllerAddress()),
          taken.getFirst().getLocalPort(),
          lines);
    } finally {
      for (ServerSocket socket : taken) {
        socket.close();
      }
    }
  }

  public int nodes() {
    return files.plan().nodes();
  }

  /** For files of the test, seen under the same path by all nodes. */
  public Path folder() {
    return files.folder();
  }

  /** Put first on a PATH: Slurm's clients, which find this cluster by themselves. */
  public Path tools() {
    return files.tools();
  }

  /** Where slurm.conf is, for programs that look for it themselves. */
  public Path configuration() {
    return files.conf();
  }

  /** What a program outside needs to speak with this cluster. */
  public Map<String, String> environment() {
    return Map.of(
        "SLURM_CONF",
        configuration().toString(),
        "PATH",
        tools() + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin"));
  }

  /** The words that run a command where the controller is: its name, its network. */
  public List<String> atController() {
    return host(CONTROLLER, hosts.atController());
  }

  /** The words that run a command on a node: its name, its network. */
  public List<String> at(int node) {
    return host("node" + node, hosts.at(node));
  }

  /** Replaces the text of a program that was planned. */
  public void program(String setting, String script) throws IOException {
    files.script(setting, script);
  }

  /** Runs one of Slurm's clients, or any program, with the cluster's environment. */
  public Said run(String... words) {
    return run(PATIENCE, words);
  }

  public Said run(Duration patience, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    Path client = tools().resolve(line.getFirst());
    if (Files.isExecutable(client)) {
      line.set(0, client.toString());
    }
    return Said.by(line, environment(), patience);
  }

  /**
   * Submits a batch script.
   *
   * @return the job's id
   */
  public String submit(String script, String... options) throws IOException {
    Path file = Files.createTempFile(folder(), "job", ".sh");
    Files.writeString(file, script.startsWith("#!") ? script : "#!/bin/sh\n" + script);
    List<String> words = new ArrayList<>(List.of("sbatch", "--parsable", "--chdir=" + folder()));
    words.addAll(List.of(options));
    words.add(file.toString());
    return run(words.toArray(String[]::new)).orFail().strip();
  }

  /** Such as {@code idle}, {@code mixed*}, {@code draining}. */
  public String nodeState(int node) {
    return run("sinfo", "-h", "-N", "-n", "node" + node, "-o", "%T").orFail().strip();
  }

  private String sinfo() {
    return run("sinfo", "-h", "-N", "-o", "%N %T").output();
  }

  /** Why a node is drained or down. */
  public String nodeReason(int node) {
    return run("sinfo", "-h", "-N", "-n", "node" + node, "-o", "%E").orFail().strip();
  }

  /** Such as {@code RUNNING}. */
  public String jobState(String job) {
    return jobField(job, "JobState");
  }

  /** A field of {@code scontrol show job}, or nothing. */
  public String jobField(String job, String field) {
    return run("scontrol", "-o", "show", "job", job)
        .output()
        .transform(text -> List.of(text.split("\\s+")))
        .stream()
        .filter(it -> it.startsWith(field + "="))
        .map(it -> it.substring(field.length() + 1))
        .findFirst()
        .orElse("");
  }

  /** Waits until it holds; fails with what the daemons wrote. */
  public void await(String what, BooleanSupplier condition) throws InterruptedException {
    await(what, PATIENCE, condition);
  }

  public void await(String what, Duration patience, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("still waiting for %s%n%s%n%s".formatted(what, sinfo(), logs()));
      }
      Thread.sleep(50);
    }
  }

  /** The end of what every daemon wrote. */
  public String logs() {
    try {
      return files.tails();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startMunge() throws IOException, InterruptedException {
    start(
        "munged",
        List.of(
            "munged",
            "--foreground",
            "--num-threads=4",
            "--key-file=" + files.munge("key"),
            "--socket=" + files.munge("socket"),
            "--pid-file=" + files.munge("pid"),
            "--log-file=" + files.munge("log"),
            "--seed-file=" + files.munge("seed")));
    await("munged", () -> Files.exists(files.munge("socket")));
  }

  public void startController() throws IOException {
    start("slurmctld", joined(atController(), List.of("slurmctld", "-D")));
  }

  public void startNode(int node) throws IOException {
    String name = "node" + node;
    start(name, joined(at(node), List.of("slurmd", "-D", "-N", name)));
  }

  /** Starts slurmrestd on a socket in the cluster's folder, for the user of this test alone. */
  public Path startRest() throws IOException, InterruptedException {
    Path socket = folder().resolve("rest.socket");
    Files.deleteIfExists(socket);
    startRest(List.of("-a", "rest_auth/local", "unix:" + socket), Map.of());
    await("slurmrestd", () -> Files.exists(socket));
    return socket;
  }

  /**
   * Starts slurmrestd on a port, for whoever has a token; the cluster must know of tokens.
   *
   * @return its address
   */
  public InetSocketAddress startRestForTokens() throws IOException, InterruptedException {
    InetSocketAddress place;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      place = new InetSocketAddress("127.0.0.1", free.getLocalPort());
    }
    // Slurm's libraries use tokens, and not munge, where this is set.
    startRest(
        List.of("-a", "rest_auth/jwt", "127.0.0.1:" + place.getPort()),
        Map.of("SLURM_JWT", "daemon"));
    await("slurmrestd", () -> listens(place));
    return place;
  }

  private void startRest(List<String> access, Map<String, String> more) throws IOException {
    Path program = Tools.require("slurmrestd", "slurmrestd");
    List<String> words = new ArrayList<>(atController());
    words.addAll(List.of("env", "SLURMRESTD_SECURITY=disable_user_check"));
    more.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of(program.toString(), "-s", "openapi/v0.0.38,openapi/v0.0.37"));
    words.addAll(access);
    start(REST, words);
  }

  private static boolean listens(InetSocketAddress place) {
    try (Socket socket = new Socket()) {
      socket.connect(place, 1000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  public void killRest() throws InterruptedException {
    kill(REST);
  }

  /**
   * Waits until the controller has written down what was true then: it does so within five seconds
   * of a change, and jobs it has not written down it forgets in a crash.
   */
  public void awaitSaved(Instant then) throws InterruptedException {
    Path jobs = files.folder().resolve("state/job_state");
    await(
        "the controller to save its state",
        () -> jobs.toFile().lastModified() > then.toEpochMilli());
  }

  /** As a crash: jobs go on, but see {@link #awaitSaved}. */
  public void killController() throws InterruptedException {
    kill("slurmctld");
  }

  /** As a crash: what it started lives on without it. */
  public void killNode(int node) throws InterruptedException {
    kill("node" + node);
  }

  public void cutCable(int node) {
    hosts.cable(node, false);
  }

  public void plugCable(int node) {
    hosts.cable(node, true);
  }

  /** The processes of a job's steps on a node: Slurm's own shepherds are not among them. */
  public List<ProcessHandle> tasks(String job, int node) {
    return carrying("SLURM_JOB_ID=" + job)
        .filter(it -> environ(it).contains("SLURMD_NODENAME=node" + node))
        .toList();
  }

  private List<String> host(String name, List<String> network) {
    return joined(List.of(files.host().toString(), name), network);
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private void start(String name, List<String> words) throws IOException {
    Process before = daemons.get(name);
    if (before != null && before.isAlive()) {
      throw new IllegalStateException(name + " runs already");
    }
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(ProcessBuilder.Redirect.appendTo(files.log(name + ".out").toFile()));
    builder.environment().put("SLURM_CONF", configuration().toString());
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (mine, system) -> mine + ":" + system);
    daemons.put(name, builder.start());
  }

  private void kill(String name) throws InterruptedException {
    Process daemon = daemons.get(name);
    if (daemon == null || !daemon.isAlive()) {
      throw new IllegalStateException(name + " does not run");
    }
    daemon.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
  }

  private Stream<ProcessHandle> carrying(String variable) {
    return ProcessHandle.allProcesses().filter(it -> environ(it).contains(variable));
  }

  private static List<String> environ(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
      return List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\0"));
    } catch (IOException gone) {
      return List.of();
    }
  }

  /** Daemons first, so that nothing new is started; then all that knows of this cluster. */
  private void endAll() {
    daemons.values().forEach(Process::destroyForcibly);
    for (int round = 0; round < 100; round++) {
      List<ProcessHandle> left = carrying("SLURM_CONF=" + configuration()).toList();
      if (left.isEmpty()) {
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      left.forEach(it -> it.onExit().orTimeout(1, TimeUnit.SECONDS).exceptionally(_ -> it).join());
    }
  }

  /** Ends every process of the cluster by its id and removes what it left. */
  @Override
  public void close() throws IOException, InterruptedException {
    endAll();
    for (Process daemon : daemons.values()) {
      daemon.waitFor(10, TimeUnit.SECONDS);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException ending) {
      return;
    }
    hosts.close();
    files.delete();
  }
}
