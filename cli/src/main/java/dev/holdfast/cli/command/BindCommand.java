package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Json;
import dev.holdfast.core.topology.Restriction;
import dev.holdfast.core.topology.Topology;
import dev.holdfast.core.topology.bind.BindingPlan;
import dev.holdfast.core.topology.bind.BindingText;
import dev.holdfast.core.topology.bind.PresentTask;
import dev.holdfast.core.topology.bind.RailMatch;
import dev.holdfast.core.topology.bind.RailRequest;
import dev.holdfast.core.topology.bind.TaskRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Give each task of a node its cores, memory, GPUs and adapters, and start it there. */
@Command(
    name = "bind",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Say which cores, memory, GPUs and NICs each task of a node should use; start it so.",
    customSynopsis = {
      "holdfast bind --tasks N [OPTIONS]",
      "       holdfast bind --tasks N [OPTIONS] -- COMMAND [ARGUMENT...]",
      "       srun holdfast bind --task auto [OPTIONS] -- COMMAND [ARGUMENT...]",
    },
    footer = {
      "",
      "Two policies. mpibind is LLNL's: memory first, then caches, then cores; its answers are",
      "reproduced exactly. rail is for training ranks: rank i gets GPU i, the adapter behind the same",
      "PCIe switch, whole cores of the GPU's NUMA node and its memory; never an adapter for storage or",
      "management. It prints a score of the present binding and of its own.",
      "",
      "With a command, the CPUs are those the cgroup of this process allows; the binding is read back",
      "from /proc and what the kernel refused is said. Without --task all tasks are started here and",
      "waited for (exit code: the first that is not 0); with --task this process becomes the command.",
      "",
      "Examples:",
      "  holdfast bind --tasks 8                          how mpibind would place 8 tasks here",
      "  holdfast bind --policy rail                      a rank for each GPU, with its NIC",
      "  holdfast bind --policy rail --from topo.txt      the same for a machine on paper",
      "  holdfast bind --tasks 2 -- sh -c 'taskset -cp $$$$'",
      "  srun --ntasks-per-node=8 holdfast bind --policy rail --task auto -- python train.py",
      "  eval \"$(holdfast bind --tasks 4 --task 0 --format env)\"",
      "  srun $(holdfast bind --tasks 4 --format slurm) ./app",
    })
final class BindCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--tasks"},
      paramLabel = "N",
      description = "Tasks on this node. Default with --policy rail: one for each GPU.")
  private @Nullable Integer tasks;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "T",
      description = "Threads of a task. Default: its share of the cores.")
  private int threads;

  @Option(
      names = "--smt",
      paramLabel = "S",
      description = "Hardware threads to use of a core. Default: as many as needed.")
  private int smt;

  @Option(
      names = "--greedy",
      negatable = true,
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      converter = YesOrNo.class,
      paramLabel = "BOOL",
      description =
          "With fewer tasks than NUMA nodes, give tasks the whole machine (the default);"
              + " --no-greedy keeps a task on one node.")
  private boolean greedy;

  @Option(
      names = "--gpu-optim",
      negatable = true,
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      converter = YesOrNo.class,
      paramLabel = "BOOL",
      description =
          "Place tasks where the GPUs are (the default); --no-gpu-optim: where the CPUs are.")
  private boolean gpuOptim;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description = "mpibind or rail. Default: mpibind.")
  private Policy policy = Policy.MPIBIND;

  @Option(
      names = "--restrict",
      paramLabel = "SET",
      description = "Use only these CPUs (cpuset:0-7 or 0-7) or NUMA nodes (nodeset:0,1).")
  private @Nullable String restrict;

  @Option(
      names = "--reserve",
      paramLabel = "CORES",
      description = "rail: leave so many cores of each NUMA node free. Default: 0.")
  private int reserve;

  @Option(
      names = "--nics",
      split = ",",
      paramLabel = "NAME",
      description = "rail: use only these adapters.")
  private List<String> nics = List.of();

  @Option(
      names = "--exclude-nics",
      split = ",",
      paramLabel = "NAME",
      description = "rail: never use these adapters.")
  private List<String> excludedNics = List.of();

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Plan for this machine instead: a file that `holdfast topo --from` reads.")
  private @Nullable Path from;

  @Option(
      names = "--task",
      paramLabel = "K",
      description =
          "Only task K, or auto: which task of how many this is, the launcher's environment says"
              + " (Slurm, Open MPI, MPICH, torchrun).")
  private @Nullable String task;

  @Option(
      names = "--memory",
      paramLabel = "HOW",
      description =
          "With a command: take memory from the task's NUMA nodes preferred, bind (only there) or"
              + " none (as it comes). Default: preferred.")
  private MemoryChoice memory = MemoryChoice.PREFERRED;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "table, json, env (for a shell) or slurm (options of srun). Default: table.")
  private Format format = Format.TABLE;

  @Option(
      names = {"-q", "--quiet"},
      description = "With a command: say only what went wrong.")
  private boolean quiet;

  @Parameters(
      paramLabel = "COMMAND",
      hidden = true,
      description = "The command to start, after --.")
  private List<String> command = List.of();

  /** How tasks are placed. */
  enum Policy {
    MPIBIND,
    RAIL
  }

  /** How the answer is written. */
  enum Format {
    TABLE,
    JSON,
    ENV,
    SLURM
  }

  BindCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    TaskChoice choice = usage(() -> TaskChoice.of(task, tasks, System.getenv()));
    Optional<Restriction> share =
        usage(() -> Optional.ofNullable(restrict).map(Restriction::parse));
    requireOptionsOfThePolicy();
    ThisMachine here = from == null ? ThisMachine.look() : ThisMachine.paper();
    try {
      Topology machine = here.limit(TopologySource.read(from));
      if (share.isPresent()) {
        machine = share.get().apply(machine);
      }
      BindingPlan plan = plan(machine, choice, here);
      requireTask(plan, choice.number());
      if (!command.isEmpty()) {
        return new BoundRun(console, plan, memory, quiet).run(command, choice.number());
      }
      answer(plan, choice.number());
      return 0;
    } catch (IllegalArgumentException impossible) {
      throw new HoldfastException(
          ErrorCode.BAD_BINDING, String.valueOf(impossible.getMessage()), impossible);
    }
  }

  /** What is wrong with the command line itself, whatever the machine. */
  private <T> T usage(Supplier<T> words) {
    try {
      return words.get();
    } catch (IllegalArgumentException wrong) {
      throw wrong(String.valueOf(wrong.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** An option that would do nothing is a mistake to tell of, not to pass over. */
  private void requireOptionsOfThePolicy() {
    if (policy == Policy.MPIBIND) {
      if (reserve != 0 || !nics.isEmpty() || !excludedNics.isEmpty()) {
        throw wrong("--reserve, --nics and --exclude-nics need --policy rail");
      }
    } else if (smt != 0) {
      throw wrong("--smt is of --policy mpibind; rail gives a rank whole cores");
    }
  }

  private void requireTask(BindingPlan plan, Optional<Integer> number) {
    if (number.isPresent() && number.get() >= plan.tasks().size()) {
      throw wrong(
          "task %d is not one of 0-%d: without --tasks there is one for each GPU"
              .formatted(number.get(), plan.tasks().size() - 1));
    }
  }

  private BindingPlan plan(Topology machine, TaskChoice choice, ThisMachine here) {
    if (policy == Policy.RAIL) {
      int count = choice.count().orElse(Math.max(1, machine.gpus().size()));
      RailRequest request =
          usage(
              () ->
                  new RailRequest(
                      count, threads, reserve, Set.copyOf(nics), Set.copyOf(excludedNics)));
      Optional<List<PresentTask>> present = here.present(machine, count);
      return BindingPlan.rail(
          machine,
          RailMatch.plan(machine, request, present),
          present.isPresent()
              ? "ranks started from here as they are"
              : "ranks that nobody binds, as torchrun starts them");
    }
    int count = choice.count().orElseThrow(() -> wrong("how many tasks? Give --tasks N"));
    TaskRequest request = usage(() -> new TaskRequest(count, threads, smt, greedy, gpuOptim));
    return BindingPlan.memoryFirst(machine, request);
  }

  private void answer(BindingPlan plan, Optional<Integer> number) {
    List<Integer> wanted =
        number
            .map(List::of)
            .orElseGet(() -> IntStream.range(0, plan.tasks().size()).boxed().toList());
    console.answer(
        switch (format) {
          case TABLE -> BindingTable.of(plan, wanted, console.style(), console.width());
          case JSON -> Json.pretty(BindingText.json(plan, wanted));
          case ENV -> BindingText.environment(plan, wanted);
          case SLURM -> BindingText.slurm(plan);
        });
    if (format != Format.TABLE && format != Format.JSON) {
      plan.notes().forEach(console::message);
    }
  }
}
