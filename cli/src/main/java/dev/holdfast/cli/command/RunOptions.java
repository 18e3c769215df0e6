package dev.holdfast.cli.command;

import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Setting;
import dev.holdfast.launch.plan.Choices;
import dev.holdfast.os.file.BoundedFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options of {@code holdfast run}, as one table: each is also a variable (HOLDFAST_NNODES,
 * PET_NNODES) and a key of the configuration file, with dashes or underscores. Only spelling is
 * known here; what the values mean, {@code launch.plan} says.
 */
final class RunOptions {
  private static final int MOST_CONFIGURATION = 1 << 20;

  /**
   * One option.
   *
   * @param label what stands for its value in the help; empty: it has none
   * @param names further short names
   */
  private record Entry(String name, String label, String description, String... names) {
    boolean flag() {
      return label.isEmpty();
    }

    /** The option, and beside it, out of the help's way, torchrun's spelling with underscores. */
    List<OptionSpec> specs() {
      String underscores = "--" + name.replace('-', '_');
      String[] shown =
          Stream.concat(Stream.of(names), Stream.of("--" + name)).toArray(String[]::new);
      return underscores.equals("--" + name)
          ? List.of(spec(shown).build())
          : List.of(spec(shown).build(), spec(underscores).hidden(true).build());
    }

    private OptionSpec.Builder spec(String... spellings) {
      OptionSpec.Builder spec = OptionSpec.builder(spellings).description(description);
      return flag()
          ? spec.type(boolean.class).arity("0")
          : spec.type(List.class).auxiliaryTypes(String.class).arity("1").paramLabel(label);
    }
  }

  private record Group(String heading, List<Entry> entries) {}

  private static final List<Group> TABLE =
      List.of(
          new Group(
              "%nNodes and ranks:%n",
              List.of(
                  new Entry(
                      "nnodes",
                      "MIN[:MAX]",
                      "Nodes of the job. Default: what the platform says, else 1."),
                  new Entry(
                      "nproc-per-node",
                      "N|auto|gpu|cpu",
                      "Ranks on this node. Default: what the platform says, else 1."),
                  new Entry(
                      "rdzv-endpoint",
                      "HOST[:PORT]",
                      "Where the launchers meet, the same on each node. Port: 29400."),
                  new Entry(
                      "arbiter",
                      "HOST:PORT",
                      "A managed store that decides who leads, and serves the ranks: any node may be"
                          + " lost. Default: a majority decides."),
                  new Entry(
                      "token-file",
                      "FILE",
                      "Holds the arbiter's token. Default: the variable HOLDFAST_STORE_TOKEN."),
                  new Entry("spares", "N", "Further nodes that wait for one to fail."),
                  new Entry("exclude", "NODE,…", "Nodes that must not take part."),
                  new Entry("node-rank", "K", "Where this node stands. Default: by the platform."),
                  new Entry(
                      "node-name", "NAME", "What this node is called. Default: its host name."),
                  new Entry("local-addr", "ADDRESS", "Where other nodes reach this one."),
                  new Entry("standalone", "", "One node, whatever the environment says."),
                  new Entry("port-range", "A-B", "Ports for stores. Default: 29500-29999."))),
          new Group(
              "%nThe program:%n",
              List.of(
                  new Entry("module", "", "PROGRAM is a Python module.", "-m"),
                  new Entry("no-python", "", "Execute PROGRAM even if it ends in .py."),
                  new Entry("run-path", "", "PROGRAM is a Python script whatever its name."),
                  new Entry("role", "NAME", "ROLE_NAME of the ranks. Default: default."),
                  new Entry("env", "NAME=VALUE", "Set this for every rank."),
                  new Entry(
                      "bind",
                      "numa|rail|none",
                      "Where ranks run: near their memory, near their GPU and NIC, or anywhere (the"
                          + " default)."),
                  new Entry("checkpoint-dir", "DIR", "Where the program keeps its checkpoints."),
                  new Entry(
                      "virtual-local-rank", "", "Each rank sees one device; LOCAL_RANK is 0."))),
          new Group(
              "%nFailures and hangs:%n",
              List.of(
                  new Entry("max-restarts", "N", "Attempts after the first, job-wide. Default: 0."),
                  new Entry(
                      "warm",
                      "",
                      "Keep a standby for each rank, its modules imported, for fast restarts."),
                  new Entry(
                      "hang",
                      "WHEN",
                      "auto (the default), auto:SECONDS, off, or a duration without progress."),
                  new Entry(
                      "on-hang",
                      "notify|dump|restart",
                      "Say it, collect stacks too (the default), begin the next attempt too."),
                  new Entry(
                      "grace", "TIME", "From TERM to KILL. Default: the platform's, else 30s."),
                  new Entry("action", "EVENT=ACTION", "What else to do when something happens."),
                  new Entry(
                      "exit-codes",
                      "torchrun|distinct",
                      "1 for every failure (the default), or codes that tell them apart."),
                  new Entry("beat-pattern", "REGEX", "Finds the step in a line of output."),
                  new Entry("watchdog-config", "FILE", "Rules of an io-watchdog configuration."),
                  new Entry(
                      "inject",
                      "FAULT",
                      "Rehearse a fault the program plays: hang:rank=2,step=30. Restarts unless told not to."))),
          new Group(
              "%nOutput:%n",
              List.of(
                  new Entry("log-dir", "DIR", "Where logs go. Default: runs/ of the state folder."),
                  new Entry(
                      "redirects",
                      "STREAMS",
                      "Not on the console: 0 none, 1 output, 2 errors, 3 both, or 0:1,1:2 by rank.",
                      "-r"),
                  new Entry("tee", "STREAMS", "On the console nevertheless.", "-t"),
                  new Entry(
                      "local-ranks-filter", "K,…", "Only these local ranks on the console."))),
          new Group(
              "%nTry and check:%n",
              List.of(
                  new Entry("dry-run", "", "Say what would be started, and start nothing."),
                  new Entry("preflight", "", "Check this node first; start only if it is fit."),
                  new Entry("config", "FILE", "Options in YAML; the command line wins."))),
          new Group(
              "%nFor scripts written for torchrun:%n",
              List.of(
                  new Entry("master-addr", "HOST", "As --rdzv-endpoint HOST."),
                  new Entry("master-port", "PORT", "With --master-addr."),
                  new Entry("rdzv-id", "ID", "The name of the run."),
                  new Entry("shutdown-timeout", "SECONDS", "As --grace."),
                  new Entry("numa-binding", "KIND", "As --bind numa."),
                  new Entry("signals-to-handle", "NAMES", "Passed on to the ranks."),
                  new Entry("rdzv-backend", "NAME", "Accepted, without effect."),
                  new Entry("rdzv-conf", "K=V,…", "Accepted, without effect."),
                  new Entry("monitor-interval", "SECONDS", "Accepted, without effect."),
                  new Entry("start-method", "NAME", "Accepted, without effect."),
                  new Entry("event-log-handler", "NAME", "Accepted, without effect."),
                  new Entry("logs-specs", "NAME", "Accepted, without effect."))));

  private RunOptions() {}

  /** Adds all options to a command. */
  static void addTo(CommandSpec command) {
    int order = 0;
    for (Group group : TABLE) {
      ArgGroupSpec.Builder args =
          ArgGroupSpec.builder().heading(group.heading).validate(false).order(order++);
      group.entries.forEach(entry -> entry.specs().forEach(args::addArg));
      command.addArgGroup(args.build());
    }
  }

  static List<String> names() {
    return TABLE.stream().flatMap(group -> group.entries.stream()).map(Entry::name).toList();
  }

  /** What was chosen on this command line, in this environment, in the configuration file. */
  static Choices choices(ParseResult line, Map<String, String> environment, Path folder) {
    Map<String, List<String>> flags = flags(line);
    Choices first = Choices.of(List.of("config"), flags, environment, Optional.empty());
    Optional<Setting> configuration =
        first.one("config").map(file -> read(folder.resolve(file.value()), file.value()));
    return Choices.of(names(), flags, environment, configuration);
  }

  private static Setting read(Path file, String name) {
    var reading = BoundedFile.read(file, MOST_CONFIGURATION);
    return Setting.read(
        name,
        reading
            .text()
            .orElseThrow(
                () ->
                    new HoldfastException(
                        ErrorCode.UNREADABLE_INPUT, "--config: " + reading.why())));
  }

  private static Map<String, List<String>> flags(ParseResult line) {
    Map<String, List<String>> flags = new LinkedHashMap<>();
    for (OptionSpec option : line.matchedOptionsSet()) {
      String name = option.longestName().substring(2).replace('_', '-');
      List<String> values =
          option.arity().max() == 0 ? List.of("true") : option.originalStringValues();
      flags.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(values);
    }
    return flags;
  }
}
