package dev.holdfast.launch.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.forensics.stacks.StackText;
import dev.holdfast.core.text.Fields;
import dev.holdfast.core.text.Json;
import dev.holdfast.launch.stacks.StackSampler.Round;
import dev.holdfast.launch.watch.AttachedRank;
import dev.holdfast.launch.watch.ProcEvidence;
import dev.holdfast.launch.watch.ProcEvidence.Seen;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.ProcessState;
import dev.holdfast.testing.Golden;
import dev.holdfast.testing.Tools;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes of Python, C and Java, in good and in bad states. */
@Timeout(120)
class StackSamplerIT {
  private static final String PYTHON = "/usr/bin/python3";
  private static final int STOP = 19;
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final StackTools NO_TOOLS = new StackTools(Optional.empty(), Optional.empty());

  @TempDir Path folder = Path.of("");
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  /** A rank as `holdfast run` starts it: with the shim before all and a file for its stacks. */
  private Process python(String program) throws IOException {
    return rank(PYTHON, "-c", program);
  }

  private Process rank(String... words) throws IOException {
    int rank = processes.size();
    Path file = folder.resolve("stacks" + rank);
    Tools.require(Files.isExecutable(Path.of(PYTHON)), "needs python3 (apt-get install python3)");
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("RANK", Integer.toString(rank));
    builder.environment().put("HOLDFAST_STACK_FILE", file.toString());
    builder
        .environment()
        .put("PYTHONPATH", Golden.root().resolve("python/sitecustomize").toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return start(builder);
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out" + processes.size()).toFile())
            .start();
    processes.add(process);
    return process;
  }

  private String output(int number) {
    try {
      return Files.readString(folder.resolve("out" + number));
    } catch (IOException notYet) {
      return "";
    }
  }

  /** Until each has said that it is where it is to be sampled. */
  private void ready() throws InterruptedException {
    for (int i = 0; i < processes.size(); i++) {
      int number = i;
      until(() -> output(number).contains("ready"), "process " + number);
    }
  }

  private void until(BooleanSupplier condition, String what) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      Thread.sleep(10);
    }
  }

  private List<ProcEvidence.Rank> ranks() {
    return AttachedRank.ofPids(processes.stream().map(Process::pid).toList()).stream()
        .map(ProcEvidence.Rank::of)
        .toList();
  }

  @Test
  void pythonIsReadWithoutRightsAlsoWhileTheInterpreterIsHeld() throws Exception {
    python(
        """
        import re
        def held():
            print("ready", flush=True)
            re.match("(a+)+$", "a" * 64 + "b")
        held()
        """);
    String waiting =
        """
        import threading
        def step():
            lock = threading.Lock()
            lock.acquire()
            print("ready", flush=True)
            lock.acquire()
        step()
        """;
    python(waiting);
    // Many a rank is a script that starts the program: the shell's own stack says nothing.
    rank("sh", "-c", PYTHON + " -c \"$0\"; true", waiting);
    ready();
    Thread.sleep(200);
    StackRounds rounds =
        new StackRounds(List.of(new StackSampler(NO_TOOLS, false).sample(ranks(), LIMIT)));
    String folded = StackText.folded(rounds.tree());
    assertThat(folded).contains("held@<string>:4").contains("step@<string>:6 2");
    assertThat(rounds.tree().classes()).hasSize(2);
    assertThat(rounds.silent()).isEmpty();
    Seen first = rounds.rounds().getFirst().seen().getFirst();
    assertThat(first.by()).containsExactly("fault handler");
    assertThat(first.state()).isEqualTo('R');
    assertThat(Seen.of(Fields.of("seen", Json.object(Json.line(first.json()))))).isEqualTo(first);
    assertThat(processes).allMatch(Process::isAlive);
  }

  @Test
  void whereThereIsNoShimPySpyIsAsked() throws Exception {
    Path standIn = folder.resolve("py-spy");
    // Writes what py-spy's documents show, and must be asked as they say.
    Files.writeString(
        standIn,
        """
        #!/bin/sh
        test "$1 $2" = "dump --pid" || exit 9
        echo "Process $3: python3 nap.py"
        echo "Thread $3 (idle): \\"MainThread\\""
        echo "    nap (nap.py:3)"
        echo "    <module> (nap.py:5)"
        """);
    assertThat(standIn.toFile().setExecutable(true)).isTrue();
    start(
        new ProcessBuilder(
            PYTHON, "-S", "-c", "import time; print('ready', flush=True); time.sleep(90)"));
    ready();
    Round round =
        new StackSampler(new StackTools(Optional.of(standIn.toString()), Optional.empty()), false)
            .sample(ranks(), LIMIT);
    assertThat(round.seen().getFirst().by()).as(round.toString()).containsExactly("py-spy");
    assertThat(StackText.folded(new StackRounds(List.of(round)).tree()))
        .isEqualTo("<module>@nap.py:5;nap@nap.py:3 1\n");
  }

  @Test
  void whoHasNoHandlerIsStoppedOrEndsGetsNoSignalOrIsToldOf() throws Exception {
    Process deaf =
        python(
            """
            import faulthandler, signal, time
            faulthandler.unregister(signal.SIGUSR2)
            print("ready", flush=True)
            time.sleep(100)
            """);
    Process stopped = python("import time; print('ready', flush=True); time.sleep(100)");
    Process ending =
        python(
            """
            import faulthandler, os, signal, time
            faulthandler.unregister(signal.SIGUSR2)
            signal.signal(signal.SIGUSR2, lambda *_: os._exit(0))
            print("ready", flush=True)
            time.sleep(100)
            """);
    ready();
    assertThat(Signals.send(stopped.pid(), STOP)).isTrue();
    until(() -> ProcessState.of(stopped.pid()) == 'T', "stopped");
    List<ProcEvidence.Rank> ranks = ranks();
    // A debugger may be asked for: what is stopped stays so.
    StackTools tools = StackTools.find(System.getenv().getOrDefault("PATH", ""));
    Round round = new StackSampler(NO_TOOLS, false).sample(ranks, LIMIT);
    assertThat(round.seen().get(0).noStacks())
        .isEqualTo("it has no handler for signal 12; py-spy is not installed");
    assertThat(deaf.isAlive()).isTrue();
    assertThat(round.seen().get(1).state()).isEqualTo('T');
    assertThat(round.seen().get(1).noStacks()).contains("in state T no signal reaches it");
    assertThat(round.seen().get(2).noStacks()).contains("it ended when it was asked");
    assertThat(ending.waitFor(5, TimeUnit.SECONDS)).isTrue();
    // Nobody is waited for who cannot answer any more.
    assertThat(round.took()).isLessThan(Duration.ofSeconds(3));
    Round again = new StackSampler(tools, true).sample(ranks.subList(1, 3), LIMIT);
    assertThat(again.seen().get(0).noStacks()).isEqualTo("it is stopped (state T), and is left so");
    assertThat(again.seen().get(1).lines()).first().asString().contains("the process is gone");
    assertThat(ProcessState.of(stopped.pid())).isEqualTo('T');
    assertThat(StackText.folded(new StackRounds(List.of(again)).tree()))
        .contains("no stack: it is stopped (state T), and is left so;state T");
  }

  @Test
  void framesOfCAreReadByGdbAndTheProgramGoesOn() throws Exception {
    Path gcc = Tools.require("gcc", "gcc");
    Path gdb = Tools.require("gdb", "gdb");
    Path source =
        Files.writeString(
            folder.resolve("stuck.c"),
            """
            #include <stdio.h>
            #include <unistd.h>
            static volatile int rounds;
            void stuck(int way) {
              for (;;) { if (way) rounds++; else pause(); }
            }
            int main(int count, char **words) {
              puts("ready");
              fflush(stdout);
              stuck(count > 1);
            }
            """);
    Path program = folder.resolve("stuck");
    assertThat(
            Command.of(gcc.toString(), "-g", "-O0", "-o", program.toString(), source.toString())
                .within(Duration.ofSeconds(60))
                .run()
                .error())
        .isEmpty();
    start(new ProcessBuilder(program.toString()));
    start(new ProcessBuilder(program.toString(), "spin"));
    ready();
    Round plain = new StackSampler(NO_TOOLS, false).sample(ranks(), LIMIT);
    assertThat(plain.seen().getFirst().noStacks())
        .isEqualTo("neither Python nor Java; --native asks a debugger");
    assertThat(plain.seen().getFirst().place()).isNotEmpty();
    StackTools tools = new StackTools(Optional.empty(), Optional.of(gdb.toString()));
    Round round = new StackSampler(tools, true).sample(ranks(), Duration.ofSeconds(60));
    assertThat(round.seen())
        .as(round.toString())
        .allMatch(seen -> seen.by().equals(List.of("gdb")));
    String folded = StackText.folded(new StackRounds(List.of(round)).tree());
    assertThat(folded).contains("main@stuck.c:10;stuck@stuck.c:5");
    assertThat(processes).allMatch(Process::isAlive);
    until(() -> ProcessState.of(processes.get(0).pid()) == 'S', "it sleeps again");
    until(() -> ProcessState.of(processes.get(1).pid()) == 'R', "it runs again");
  }

  @Test
  void aDebuggerThatTakesTooLongIsEndedAndItsProgramGoesOn() throws Exception {
    Path slow = folder.resolve("gdb");
    Files.writeString(slow, "#!/bin/sh\nkill -STOP \"${12}\"\nexec sleep 60\n");
    assertThat(slow.toFile().setExecutable(true)).isTrue();
    Process process = start(new ProcessBuilder("sh", "-c", "echo ready; exec sleep 100"));
    ready();
    StackTools tools = new StackTools(Optional.empty(), Optional.of(slow.toString()));
    Round round = new StackSampler(tools, true).sample(ranks(), Duration.ofSeconds(2));
    assertThat(round.seen().getFirst().noStacks()).contains("no end within");
    until(() -> ProcessState.of(process.pid()) == 'S', "it goes on");
  }

  @Test
  void threadsOfJavaAreReadByItsOwnJdkUnlessItLeavesSignalsAlone() throws Exception {
    for (String option : List.of("-Xshare:auto", "-Xrs")) {
      start(
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin/java").toString(),
              "-XX:+UseSerialGC",
              "-XX:TieredStopAtLevel=1",
              option,
              "-cp",
              System.getProperty("java.class.path"),
              Nap.class.getName()));
    }
    ready();
    Round round = new StackSampler(NO_TOOLS, false).sample(ranks(), Duration.ofSeconds(30));
    assertThat(round.seen().get(0).by()).as(round.toString()).containsExactly("jcmd");
    assertThat(StackText.folded(new StackRounds(List.of(round)).tree()))
        .contains(Nap.class.getName() + ".main@StackSamplerIT.java:");
    assertThat(round.seen().get(1).noStacks()).contains("no handler for SIGQUIT");
    assertThat(processes).allMatch(Process::isAlive);
  }

  /** A program of Java that does nothing. */
  static final class Nap {
    private Nap() {}

    public static void main(String[] words) throws Exception {
      try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
        out.write("ready".getBytes(StandardCharsets.UTF_8));
      }
      Thread.sleep(100_000);
    }
  }

  @Test
  void sixtyFourProcessesAreReadWithinTheLimit(TestReporter reporter) throws Exception {
    for (int i = 0; i < 64; i++) {
      python(
          """
          import os, threading
          def all_reduce():
              print("ready", flush=True)
              threading.Event().wait()
          def load():
              print("ready", flush=True)
              os.read(os.pipe()[0], 1)
          load() if os.environ["RANK"] == "17" else all_reduce()
          """);
    }
    ready();
    Round round = new StackSampler(NO_TOOLS, false).sample(ranks(), LIMIT);
    reporter.publishEntry("64 processes sampled in", round.took().toString());
    assertThat(round.took()).isLessThan(LIMIT);
    StackRounds rounds = new StackRounds(List.of(round));
    assertThat(rounds.silent()).isEmpty();
    assertThat(rounds.tree().classes().get(1).ranks()).hasToString("[17]");
    assertThat(rounds.tree().classes().get(1).leaf()).isEqualTo("load@<string>:7");
    assertThat(processes).allMatch(Process::isAlive);
  }
}
