package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.doctor.Checks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Policies in files, and the checks they can speak of. */
final class PolicyFile {
  private static final long LARGEST = 1 << 20;

  private PolicyFile() {}

  /** The one in the file; none named: the one that comes with Holdfast. */
  static Policy read(@Nullable Path file) {
    return file == null ? DefaultPolicy.policy() : PolicyYaml.read(file.toString(), text(file));
  }

  static String text(Path file) {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes((int) LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new IOException("larger than 1 MiB");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new HoldfastException(
          ErrorCode.UNREADABLE_INPUT, file + ": " + Failures.why(unreadable), unreadable);
    }
  }

  /** Every check an agent can run. */
  static List<KnownCheck> checks() {
    return Checks.all().stream()
        .map(it -> it.info())
        .map(it -> new KnownCheck(it.id(), it.faultClass(), it.proof()))
        .toList();
  }
}
