package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.control.replay.PolicyReplay;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.PolicyYaml;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tell what another policy would have decided on the recorded history. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Tell every decision another policy would have made otherwise on the recorded history, and"
            + " the GPU-hours at stake.",
    footer = {
      "",
      "What agents, launchers and people said is taken from the journal; what follows from it is decided",
      "twice anew, by the policy that held and by the new one. Where that does something that was not",
      "done then, it is taken to have helped: docs/policy.md says what is supposed and how hours are",
      "counted. Nothing is changed; the journal is only read.",
      "",
      "Examples:",
      "  holdfast policy replay --with new.yaml",
      "  holdfast policy replay --with new.yaml --journal /var/lib/holdfast/control",
      "  holdfast policy replay --with new.yaml --server http://head:7070 --format json",
    })
final class PolicyReplayCommand implements Callable<Integer> {
  private final Console console;

  @Option(names = "--with", required = true, paramLabel = "FILE", description = "The new policy.")
  private @Nullable Path with;

  @Option(
      names = "--old",
      paramLabel = "FILE",
      description =
          "What held until the journal tells of another. Default: the policy that comes with"
              + " Holdfast.")
  private @Nullable Path old;

  @Option(
      names = "--journal",
      paramLabel = "FOLDER",
      description =
          "Read the files of a control plane that does not run. Default: ask the one that does.")
  private @Nullable Path journal;

  @Mixin private final ServerChoice server = new ServerChoice();

  @Option(names = "--format", paramLabel = "FORMAT", description = "table or json. Default: table.")
  private TableOrJson format = TableOrJson.TABLE;

  PolicyReplayCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (journal != null && server.asked()) {
      throw new HoldfastException(ErrorCode.WRONG_USAGE, "give --journal or --server, not both");
    }
    PolicyReplay replay =
        new PolicyReplay(
            PolicyFile.read(old),
            text -> PolicyYaml.read("the policy in the journal", text),
            PolicyFile.read(with));
    if (journal != null) {
      JournalReader.files(journal, replay::add);
    } else {
      JournalReader.server(server, replay::add);
    }
    var comparison = replay.compare();
    console.answer(
        format == TableOrJson.JSON
            ? ReplayReport.json(comparison)
            : ReplayReport.table(comparison, console));
    return 0;
  }
}
