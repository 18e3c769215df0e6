package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.console.Failures;
import dev.holdfast.core.error.ErrorCode;
import dev.holdfast.core.error.HoldfastException;
import dev.holdfast.core.text.Bytes;
import dev.holdfast.core.text.Json;
import dev.holdfast.doctor.snapshot.Blanking;
import dev.holdfast.doctor.snapshot.Snapshot;
import dev.holdfast.os.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Record this node in one file, to be examined elsewhere. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Record everything doctor reads of this node in one file.",
    footer = {
      "",
      "Serials, UUIDs, adapter addresses and public IP addresses are replaced by stand-ins that are",
      "the same throughout the file; passwords, tokens and keys are blanked. The name of the node",
      "stays. Run it as root to record what an ordinary user may not read.",
      "",
      "Examples:",
      "  holdfast snapshot                            holdfast-NODE-TIME.zip, here",
      "  holdfast snapshot -o /shared/snapshots/      the same name, there",
      "  holdfast snapshot -o - | ssh desk 'cat >n.zip'",
      "  holdfast snapshot -w gpu[001-250] -o all/    many nodes, a file each",
      "  holdfast doctor --from n.zip                 examine it on any machine",
      "  holdfast doctor --compare /shared/snapshots  find the odd node out",
    })
final class SnapshotCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file to write, a folder for it, or - for stdout.")
  private @Nullable String output;

  @Option(
      names = {"-w", "--nodes"},
      paramLabel = "HOSTLIST",
      description = "Record these nodes over srun or ssh; -o names the folder for the files.")
  private @Nullable String nodes;

  @Option(names = "--base64", hidden = true, description = "Write to stdout as text.")
  private boolean base64;

  @Option(names = "--force", description = "Replace a file that is there already.")
  private boolean force;

  @Option(names = "--keep-serials", description = "Do not replace serials, UUIDs and addresses.")
  private boolean keepSerials;

  @Option(names = "--keep-secrets", description = "Do not blank passwords, tokens and keys.")
  private boolean keepSecrets;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How to tell what was written: table or json. Default: table.")
  private Format format = Format.TABLE;

  /** How the answer is written. */
  enum Format {
    TABLE,
    JSON
  }

  SnapshotCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (nodes != null) {
      return new FleetRun(console, nodes).snapshots(remoteWords(), output, this::write);
    }
    Blanking blanking = new Blanking(!keepSerials, !keepSecrets);
    Path given = output == null || output.equals("-") ? null : Path.of(output);
    if (given != null && !Files.isDirectory(given)) {
      refuseToReplace(given);
    }
    Snapshot snapshot = LiveExamination.of(false).snapshot(blanking);
    byte[] archive = snapshot.archive("holdfast " + VersionCommand.version());
    if (base64) {
      console.answer(Base64.getMimeEncoder().encodeToString(archive) + "\n");
      return 0;
    }
    if ("-".equals(output)) {
      console.out().exact(archive, archive.length);
      return 0;
    }
    Path folder = given == null ? Path.of("") : given;
    Path file =
        given == null || Files.isDirectory(given) ? folder.resolve(snapshot.fileName()) : given;
    write(file, archive);
    tell(file, archive.length, snapshot, blanking);
    return 0;
  }

  private List<String> remoteWords() {
    List<String> words = new ArrayList<>();
    if (keepSerials) {
      words.add("--keep-serials");
    }
    if (keepSecrets) {
      words.add("--keep-secrets");
    }
    return words;
  }

  private void refuseToReplace(Path file) {
    if (!force && Files.exists(file)) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE, file + " is there already; --force replaces it");
    }
  }

  private void write(Path file, byte[] archive) {
    refuseToReplace(file);
    try {
      AtomicFile.write(file, archive);
    } catch (IOException e) {
      throw new HoldfastException(
          ErrorCode.CANNOT_WRITE,
          "the snapshot was not written: " + file + " (" + Failures.why(e) + ")",
          e);
    }
  }

  private void tell(Path file, int bytes, Snapshot snapshot, Blanking blanking) {
    int members = snapshot.members().size();
    console.answer(
        switch (format) {
          case TABLE ->
              "%s  %s, %d members, blanked: %s\n"
                  .formatted(file, Bytes.of(bytes), members, blanking.words());
          case JSON ->
              Json.pretty(
                  Json.map(
                      "schema",
                      "holdfast.snapshot/1",
                      "node",
                      snapshot.node().name(),
                      "file",
                      file.toString(),
                      "bytes",
                      bytes,
                      "members",
                      members,
                      "serialsBlanked",
                      blanking.serials(),
                      "secretsBlanked",
                      blanking.secrets()));
        });
  }
}
