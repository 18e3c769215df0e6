package dev.holdfast.launch.supervise;

import dev.holdfast.launch.supervise.SupervisorOptions.Means;
import dev.holdfast.os.libc.Signals;
import dev.holdfast.os.libc.Spawn;
import dev.holdfast.os.process.Children;
import dev.holdfast.os.process.Children.Child;
import dev.holdfast.os.process.ProgramPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What this machine offers so that no process of a rank outlives its supervisor. Found out once, by
 * trying.
 *
 * @param setpriv the program that sets a parent-death signal, if it can
 * @param cgroups where groups of our own can be made
 * @param adopting whether orphans come to us
 */
record Holding(Optional<String> setpriv, Optional<Cgroups> cgroups, boolean adopting) {
  private static final String ENTER = "echo 0 >\"$0\"/cgroup.procs && exec \"$@\"";

  static Holding find(Set<Means> means, Children children, Environment environment) {
    boolean adopting = Signals.adoptOrphans();
    Optional<String> setpriv =
        ProgramPath.find("setpriv", environment.path())
            .filter(_ -> means.contains(Means.DEATH_SIGNAL))
            .filter(
                it -> works(children, environment, signalled(it, List.of("/bin/sh", "-c", ":"))));
    return new Holding(
        setpriv,
        Optional.of(means)
            .filter(it -> it.contains(Means.CGROUP))
            .flatMap(_ -> Cgroups.find())
            .filter(it -> usable(it, children, environment)),
        adopting);
  }

  /** In words. */
  String guarantee() {
    if (cgroups.isPresent()) {
      return "cgroup.kill";
    }
    return setpriv.isPresent()
        ? "parent-death signal and scan of descendants"
        : "scan of descendants only";
  }

  /** The start of the path of every group we make. */
  Optional<String> groups() {
    return cgroups.map(it -> it.start(ProcessHandle.current().pid()));
  }

  /** The command as it is really started. */
  List<String> wrap(List<String> command, Optional<Path> group) {
    List<String> words =
        setpriv.isPresent() ? signalled(setpriv.get(), command) : new ArrayList<>(command);
    if (group.isPresent()) {
      words.addAll(0, List.of("/bin/sh", "-c", ENTER, group.get().toString()));
    }
    return words;
  }

  private static List<String> signalled(String setpriv, List<String> command) {
    List<String> words = new ArrayList<>(List.of(setpriv, "--pdeathsig", "KILL", "--"));
    words.addAll(command);
    return words;
  }

  private static boolean usable(Cgroups cgroups, Children children, Environment environment) {
    cgroups.removeLeftOvers();
    try {
      Path group = cgroups.create(ProcessHandle.current().pid(), 0);
      try {
        List<String> enter =
            List.of("/bin/sh", "-c", ENTER, group.toString(), "/bin/sh", "-c", ":");
        return works(children, environment, enter);
      } finally {
        Cgroups.remove(group);
      }
    } catch (IOException refused) {
      return false;
    }
  }

  private static boolean works(Children children, Environment environment, List<String> command) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Child child =
        new Child(
            Environment.words(command),
            environment.lines(),
            new BitSet(),
            Spawn.NOTHING,
            Spawn.NOTHING,
            Spawn.NOTHING);
    try {
      children
          .onStarter(() -> children.start(child, end -> answer.complete(end.exitCode() == 0)))
          .get(5, TimeUnit.SECONDS);
      return answer.get(5, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException refused) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
