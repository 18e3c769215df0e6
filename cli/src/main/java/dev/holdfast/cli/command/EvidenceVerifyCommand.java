package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.control.api.EvidenceBundle;
import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.Seal;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Check that nothing in a file of evidence was changed, and who signed it. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Check that nothing in a file of evidence was changed, and who signed it.",
    footer = {
      "",
      "Needs no control plane. Without --key it is only known that all parts belong together, not whose",
      "they are. Exit codes: 0 in order, 1 signed with another key, 2 changed or not evidence.",
    })
final class EvidenceVerifyCommand implements Callable<Integer> {
  private static final int MOST_KEY = 4096;

  private final Console console;

  @Parameters(index = "0", paramLabel = "FILE", description = "What `holdfast evidence` wrote.")
  private Path file = Path.of("");

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description =
          "Holds the key it must be signed with, as `holdfast evidence --public-key` prints it.")
  private @Nullable Path key;

  EvidenceVerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Seal.Sealed sealed =
        Seal.read(
            file.toString(),
            read(file, ArchiveLimits.DEFAULT.totalBytes()),
            EvidenceBundle.KIND,
            ArchiveLimits.DEFAULT);
    String made =
        "made by %s at %s, %d parts, nothing was changed"
            .formatted(
                sealed.archive().manifest().tool(),
                Times.show(sealed.archive().manifest().createdAt()),
                sealed.archive().members().size());
    if (key == null) {
      console.answer(file + ": " + made + "\nsigned with " + Seal.show(sealed.key()) + "\n");
      console.message(
          "whose key that is cannot be told without --key; ask `holdfast evidence --public-key`");
      return 0;
    }
    if (!sealed.key().equals(expected(key))) {
      console.message(
          file
              + ": signed with another key than the one in "
              + key
              + ": "
              + Seal.show(sealed.key()));
      return 1;
    }
    console.answer(file + ": " + made + ", signed with the key in " + key + "\n");
    return 0;
  }

  private static PublicKey expected(Path key) {
    try {
      return Seal.key(new String(read(key, MOST_KEY), java.nio.charset.StandardCharsets.UTF_8));
    } catch (IllegalArgumentException wrong) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, "--key: " + key + " does not hold a public key", wrong);
    }
  }

  private static byte[] read(Path file, long most) {
    try {
      if (Files.size(file) > most) {
        throw new HoldfastException(
            ErrorCode.UNREADABLE_INPUT, file + ": larger than " + most + " bytes");
      }
      return Files.readAllBytes(file);
    } catch (IOException refused) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": " + Failures.why(refused), refused);
    }
  }
}
