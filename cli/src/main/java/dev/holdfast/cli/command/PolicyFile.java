package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.kernel.KernelRule;
import dev.holdfast.core.kernel.Nvlink5Catalogue;
import dev.holdfast.core.kernel.RecoveryAction;
import dev.holdfast.core.kernel.SxidCatalogue;
import dev.holdfast.core.kernel.XidCatalogue;
import dev.holdfast.core.policy.DefaultPolicy;
import dev.holdfast.core.policy.KnownCheck;
import dev.holdfast.core.policy.KnownRow;
import dev.holdfast.core.policy.Policy;
import dev.holdfast.core.policy.PolicyYaml;
import dev.holdfast.doctor.Checks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
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
        .map(it -> new KnownCheck(it.id(), it.faultClass(), it.proof(), rows(it.id())))
        .toList();
  }

  /** The rows of the table of error codes that a check looks its findings up in. */
  private static List<KnownRow> rows(String check) {
    return switch (check) {
      case "gpu.kernel.xid" -> Stream.of(xids(), links(), actions()).flatMap(it -> it).toList();
      case "gpu.kernel.sxid" ->
          SxidCatalogue.entries().stream()
              .map(it -> new KnownRow("SXid " + it.code(), it.severity(), it.proof()))
              .toList();
      default ->
          KernelRule.entries().stream()
              .filter(it -> it.check().equals(check))
              .map(it -> new KnownRow(it.id(), it.severity(), it.proof()))
              .toList();
    };
  }

  private static Stream<KnownRow> xids() {
    return XidCatalogue.entries().stream()
        .map(it -> new KnownRow("Xid " + it.code(), it.severity(), it.proof()));
  }

  /** What Xid 154 may ask for. */
  private static Stream<KnownRow> actions() {
    Proof proof = XidCatalogue.find(154).orElseThrow().proof();
    return Stream.of(RecoveryAction.values())
        .map(it -> new KnownRow("Xid 154", it.severity(), proof));
  }

  /** What the lines of Xid 144 to 150 say in detail. */
  private static Stream<KnownRow> links() {
    return Nvlink5Catalogue.entries().stream()
        .map(
            it ->
                new KnownRow(
                    "Xid %d %s".formatted(it.xid(), it.unitFrom575()), it.severity(), it.proof()));
  }
}
