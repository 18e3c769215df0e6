package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.topology.IdSet;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.TaskBinding;
import dev.holdfast.os.libc.CpuAffinity;
import dev.holdfast.os.process.BoundProcess;
import dev.holdfast.os.process.Placement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Starts the tasks of a plan bound as it says, and tells whether the kernel did as it was asked.
 */
final class BoundRun {
  /** How long tasks have to end after the signal that ends us, before they are killed. */
  private static final long GRACE_SECONDS = 10;

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
    if (!quiet) {
      List<Integer> wanted = number.map(List::of).orElse(all);
      console.err().print(BindingTable.of(plan, wanted, console.style(), console.width()));
      console.err().flush();
    }
    IdSet permitted = permitted();
    if (number.isPresent()) {
      return become(bound(plan.tasks().get(number.get()), command, permitted), number.get());
    }
    List<BoundProcess> wanted =
        plan.tasks().stream().map(task -> bound(task, command, permitted)).toList();
    List<Process> started = new ArrayList<>();
    Thread ending = new Thread(() -> end(started), "end tasks");
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      for (int i = 0; i < wanted.size(); i++) {
        started.add(start(wanted.get(i), i));
      }
      return await(started);
    } catch (HoldfastException failed) {
      end(started);
      throw failed;
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
      verify(task, number, Placement.of("thread-self"), "this process", memoryRefused);
      console.out().flush();
      task.become();
      throw new IllegalStateException("the command replaced us and yet we are here");
    } catch (IOException problem) {
      throw refused("task " + number, problem);
    }
  }

  private Process start(BoundProcess task, int number) {
    try {
      BoundProcess.Started started = task.start();
      String pid = Long.toString(started.process().pid());
      // A program that has ended already was where the thread that started it was.
      Optional<Placement> seen = Placement.of(pid).or(started::inherited);
      verify(task, number, seen, "pid " + pid, started.memoryRefused());
      return started.process();
    } catch (IOException problem) {
      throw refused("task " + number, problem);
    }
  }

  /** Reads back from /proc what was asked for and says what came of it. */
  private void verify(
      BoundProcess task,
      int number,
      Optional<Placement> seen,
      String who,
      Optional<String> memoryRefused) {
    String wanted = IdSet.copyOf(task.cpus()).toString();
    if (memoryRefused.isPresent()) {
      String refusal = "task %d: memory is not bound, %s".formatted(number, memoryRefused.get());
      if (memory == MemoryChoice.BIND) {
        throw new HoldfastException(ErrorCode.BINDING_REFUSED, refusal);
      }
      String why =
          refusal.contains("EPERM") || refusal.contains("ENOSYS")
              ? " (containers without CAP_SYS_NICE forbid it)"
              : "";
      console.message(
          refusal
              + why
              + "; it is taken where it is first touched, near the CPUs while there is room");
    }
    if (seen.isEmpty()) {
      console.message(
          "task %d: /proc does not say where %s runs; the binding is not verified"
              .formatted(number, who));
    } else if (!seen.get().cpus().equals(wanted)) {
      throw new HoldfastException(
          ErrorCode.BINDING_REFUSED,
          "task %d: asked for CPUs %s, the kernel says %s"
              .formatted(number, wanted, seen.get().cpus()));
    } else {
      String policy = seen.get().policy().map(word -> ", memory policy " + word).orElse("");
      tell("task %d: %s on CPUs %s%s, as /proc says".formatted(number, who, wanted, policy));
    }
  }

  private void tell(String text) {
    if (!quiet) {
      console.message(text);
    }
  }

  private static int await(List<Process> tasks) {
    int code = 0;
    for (Process task : tasks) {
      try {
        int ended = task.waitFor();
        code = code == 0 ? ended : code;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return ErrorCode.BINDING_REFUSED.kind().exitCode();
      }
    }
    return code;
  }

  private static void end(List<Process> tasks) {
    tasks.forEach(Process::destroy);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    for (Process task : tasks) {
      try {
        if (!task.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
          task.destroyForcibly();
        }
      } catch (InterruptedException interrupted) {
        task.destroyForcibly();
      }
    }
  }

  private static HoldfastException refused(String what, IOException problem) {
    return new HoldfastException(
        ErrorCode.BINDING_REFUSED, what + ": " + problem.getMessage(), problem);
  }
}
