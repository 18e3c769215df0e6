package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.TaskBinding;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.process.BoundProcess;
import dev.holdfast.os.process.NotStarted;
import dev.holdfast.os.process.Placement;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Starts the tasks of a plan bound as it says, and tells whether the kernel did as it was asked.
 */
final class BoundRun {
  private final Console console;
  private final BindingPlan plan;
  private final MemoryChoice memory;
  private final boolean quiet;

  BoundRun(Console console, BindingPlan plan, MemoryChoice memory, boolean quiet) {
    this.console = console;
    this.plan = plan;
    this.memory = memory;
    this.quiet = quiet;
  }

  /** Runs all tasks and waits for them, or becomes one of them. */
  int run(List<String> command, Optional<Integer> number) {
    List<Integer> all = IntStream.range(0, plan.tasks().size()).boxed().toList();
    if (!quiet && number.isEmpty()) {
      // One of many ranks says one line; the whole plan is for whoever starts them all.
      console.err().text(BindingTable.of(plan, all, console.style(), console.width()));
    }
    IdSet permitted = permitted();
    if (number.isPresent()) {
      return become(bound(plan.tasks().get(number.get()), command, permitted), number.get());
    }
    requireText(command);
    List<BoundProcess> wanted =
        plan.tasks().stream().map(task -> bound(task, command, permitted)).toList();
    TaskGroup group = new TaskGroup();
    Runtime.getRuntime().addShutdownHook(new Thread(group::end, "end tasks"));
    try {
      for (int i = 0; i < wanted.size(); i++) {
        BoundProcess task = wanted.get(i);
        int index = i;
        group.start(() -> start(task, index));
      }
      return group.await();
    } catch (HoldfastException failed) {
      group.end();
      throw failed;
    }
  }

  /** A child process is started by Java, which writes ? for what is no text in this locale. */
  private static void requireText(List<String> command) {
    for (int i = 0; i < command.size(); i++) {
      if (command.get(i).indexOf('\uFFFD') >= 0) {
        throw new HoldfastException(
            ErrorCode.COMMAND_NOT_STARTED,
            "word %d of the command is no text in this locale and would be changed; set LC_ALL=C.UTF-8, or start each task by --task"
                .formatted(i + 1));
      }
    }
  }

  private static IdSet permitted() {
    try {
      return IdSet.copyOf(CpuAffinity.permitted());
    } catch (IOException refused) {
      throw refused("the CPUs of this process", refused);
    }
  }

  private BoundProcess bound(TaskBinding task, List<String> command, IdSet permitted) {
    IdSet cpus = task.cpus().and(permitted);
    if (cpus.isEmpty()) {
      throw new HoldfastException(
          ErrorCode.BINDING_REFUSED,
          task.cpus().isEmpty()
              ? "task %d has no CPU; nothing was started".formatted(task.number())
              : "task %d: none of its CPUs %s is allowed here (%s); nothing was started"
                  .formatted(task.number(), task.cpus(), permitted));
    }
    if (!permitted.containsAll(task.cpus())) {
      console.message(
          "task %d: of its CPUs %s only %s are allowed here"
              .formatted(task.number(), task.cpus(), cpus));
    }
    Map<String, String> variables = new LinkedHashMap<>(plan.environment(task));
    variables.put("HOLDFAST_TASK", Integer.toString(task.number()));
    return new BoundProcess(command, variables, bits(cpus), memory.policy(task.memory()));
  }

  private static BitSet bits(IdSet set) {
    BitSet bits = new BitSet();
    set.stream().forEach(bits::set);
    return bits;
  }

  private int become(BoundProcess task, int number) {
    try {
      Optional<String> memoryRefused = task.bind();
      Optional<Placement> seen = Placement.of("thread-self");
      verify(task, number, seen, memoryRefused);
      report(task, number, seen, "this process");
      task.become();
      throw new IllegalStateException("the command replaced us and yet we are here");
    } catch (IOException problem) {
      throw refused("task " + number, problem);
    }
  }

  private Process start(BoundProcess task, int number) {
    try {
      BoundProcess.Started started =
          task.start((bound, memoryRefused) -> verify(task, number, bound, memoryRefused));
      String pid = Long.toString(started.process().pid());
      // A program that has ended already was where the thread that started it was.
      Optional<Placement> seen = Placement.of(pid).or(started::inherited);
      report(task, number, seen, "pid " + pid);
      return started.process();
    } catch (IOException problem) {
      throw refused("task " + number, problem);
    }
  }

  /** Refuses to start what is not bound as asked: /proc says what the kernel made of the thread. */
  private void verify(
      BoundProcess task, int number, Optional<Placement> bound, Optional<String> memoryRefused) {
    String wanted = wanted(task);
    if (bound.isPresent() && !bound.get().cpus().equals(wanted)) {
      throw new HoldfastException(
          ErrorCode.BINDING_REFUSED,
          "task %d: asked for CPUs %s, the kernel says %s"
              .formatted(number, wanted, bound.get().cpus()));
    }
    if (memoryRefused.isEmpty()) {
      return;
    }
    String refusal = "task %d: memory is not bound, %s".formatted(number, memoryRefused.get());
    if (memory == MemoryChoice.BIND) {
      throw new HoldfastException(ErrorCode.BINDING_REFUSED, refusal);
    }
    console.message(
        refusal
            + why(task, refusal)
            + "; it is taken where it is first touched, near the CPUs while there is room");
  }

  private static String why(BoundProcess task, String refusal) {
    if (refusal.contains("EPERM") || refusal.contains("ENOSYS")) {
      return " (containers without CAP_SYS_NICE forbid it)";
    }
    boolean several = task.memory().map(policy -> policy.nodes().cardinality() > 1).orElse(false);
    return several ? " (kernels before 5.15 prefer one node at most)" : "";
  }

  /** Says where the program is now: a program may bind itself anew, as OpenMP's do at once. */
  private void report(BoundProcess task, int number, Optional<Placement> seen, String who) {
    if (seen.isEmpty()) {
      console.message(
          "task %d: /proc does not say where %s runs; the binding is not verified"
              .formatted(number, who));
      return;
    }
    String wanted = wanted(task);
    String cpus = seen.get().cpus();
    String policy = seen.get().policy().map(word -> ", memory policy " + word).orElse("");
    tell(
        cpus.equals(wanted)
            ? "task %d: %s on CPUs %s%s, as /proc says".formatted(number, who, wanted, policy)
            : "task %d: %s was started on CPUs %s and has moved itself to %s%s"
                .formatted(number, who, wanted, cpus, policy));
  }

  private static String wanted(BoundProcess task) {
    return IdSet.copyOf(task.cpus()).toString();
  }

  private void tell(String text) {
    if (!quiet) {
      console.message(text);
    }
  }

  private static HoldfastException refused(String what, IOException problem) {
    ErrorCode code =
        problem instanceof NotStarted ? ErrorCode.COMMAND_NOT_STARTED : ErrorCode.BINDING_REFUSED;
    return new HoldfastException(code, what + ": " + problem.getMessage(), problem);
  }
}
