package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.cli.operator.Operator;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Fields;
import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keep everything known of an incident in one signed file. */
@Command(
    name = "evidence",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    synopsisSubcommandLabel = "[verify FILE]",
    description = "Keep everything known of an incident in one signed file, or check such a file.",
    footer = {
      "",
      "A zip that any tool opens: the incident, its findings with their evidence, decisions with reasons,",
      "the entries of the journal that concern it, the nodes, versions, a hash of each part and an Ed25519",
      "signature by the control plane. Tokens and passwords are blanked.",
      "",
      "Examples:",
      "  holdfast evidence i-12 -o i-12.zip",
      "  holdfast evidence --public-key > holdfast.pub",
      "  holdfast evidence verify i-12.zip --key holdfast.pub",
    })
final class EvidenceCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "INCIDENT",
      description = "Its id, such as i-12.")
  private @Nullable String incident;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to keep it. Default: holdfast-INCIDENT.zip.")
  private @Nullable Path output;

  @Option(
      names = "--public-key",
      description = "Print the key this control plane signs with, for whoever is to check it.")
  private boolean publicKey;

  @Mixin private ServerChoice server = new ServerChoice();

  private EvidenceCommand(Console console) {
    this.console = console;
  }

  static CommandLine commandLine(Console console) {
    return new CommandLine(new EvidenceCommand(console))
        .addSubcommand(new EvidenceVerifyCommand(console));
  }

  @Override
  public Integer call() {
    if (publicKey == (incident != null)) {
      throw new HoldfastException(
          ErrorCode.WRONG_USAGE, "name an incident such as i-12, or give --public-key");
    }
    try (Operator operator = new Operator(server.open())) {
      if (incident == null) {
        console.answer(Fields.of("key", operator.get("/evidence/key")).text("publicKey") + "\n");
        return 0;
      }
      byte[] bundle = operator.bytes("/incidents/" + Operator.part(incident) + "/evidence");
      Path file = output == null ? Path.of("holdfast-" + incident + ".zip") : output;
      write(file, bundle);
      console.answer(file + ": " + new Bytes(bundle.length) + ", signed\n");
      return 0;
    }
  }

  private static void write(Path file, byte[] bundle) {
    try {
      AtomicFile.write(file, bundle);
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, file + ": " + Failures.why(refused), refused);
    }
  }
}
