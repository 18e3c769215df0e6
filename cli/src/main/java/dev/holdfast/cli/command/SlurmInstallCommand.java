package dev.holdfast.cli.command;

import dev.holdfast.cli.console.Console;
import dev.holdfast.cli.slurm.SlurmFolder;
import dev.holdfast.core.health.Proof;
import dev.holdfast.os.process.ProgramPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Write Slurm's hooks. */
@Command(
    name = "install",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Write prolog, epilog, health program, units and sample lines into Slurm's folder.",
    footer = {
      "",
      "Written: prolog.d/45-holdfast and epilog.d/45-holdfast, which DeepOps runs as they are, and"
          + " in",
      "holdfast/ the HealthCheckProgram (health), a health check for BCM (bcm-health), units for"
          + " systemd,",
      "lines for slurm.conf, and settings. Slurm's own files are not touched. They look and tell;"
          + " with",
      "--enforce, or HOLDFAST_ENFORCE=yes in settings, nodes that are not fit are drained. Files"
          + " that were",
      "changed by hand stay as they are. Run it again to update: what settings say is kept.",
      "",
      "Examples:",
      "  holdfast slurm install --dir /etc/slurm --dry-run",
      "  holdfast slurm install --dir /etc/slurm --enforce",
      "  holdfast slurm uninstall --dir /etc/slurm",
    })
final class SlurmInstallCommand implements Callable<Integer> {
  private static final String USUAL = "/opt/holdfast/bin/holdfast";

  private final Console console;

  @Mixin private SlurmFolderChoice choice = new SlurmFolderChoice();

  @Option(
      names = "--program",
      paramLabel = "PATH",
      description = "Holdfast on the nodes. Default: holdfast on the PATH, else " + USUAL + ".")
  private @Nullable String program;

  @Option(
      names = "--slurm-conf",
      paramLabel = "FILE",
      description = "Where slurm.conf is on the nodes. Default: slurm.conf in --dir.")
  private @Nullable String configuration;

  @Option(
      names = "--enforce",
      negatable = true,
      description = "Drain nodes that are not fit, instead of telling only.")
  private @Nullable Boolean enforce;

  @Option(
      names = "--accept",
      paramLabel = "PROOF",
      description =
          "hardware, recorded or documented: how far a finding must be proven to drain a node, rows of"
              + " tables (Xid 79) included. Default: checks that are recorded, no row for itself.")
  private @Nullable Proof accept;

  @Option(names = "--dry-run", description = "Say what would be written; write nothing.")
  private boolean dryRun;

  SlurmInstallCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    SlurmFolder target = choice.folder();
    List<SlurmFolder.Step> steps =
        target.install(
            program(target), enforced(target), accepted(target), configuration(target), dryRun);
    SlurmSteps.tell(console, steps, dryRun);
    if (!dryRun) {
      console.message(
          "next: add the lines of %s/holdfast/slurm.conf to slurm.conf".formatted(target.folder()));
    }
    return 0;
  }

  private String program(SlurmFolder target) {
    return program != null
        ? program
        : target
            .setting("HOLDFAST")
            .or(() -> ProgramPath.find("holdfast", System.getenv().getOrDefault("PATH", "")))
            .map(found -> Path.of(found).toAbsolutePath().normalize().toString())
            .orElse(USUAL);
  }

  private boolean enforced(SlurmFolder target) {
    return enforce != null
        ? enforce
        : target.setting("HOLDFAST_ENFORCE").filter("yes"::equals).isPresent();
  }

  /** What is written there by hand counts only if it is a word of ours. */
  private String accepted(SlurmFolder target) {
    return accept != null
        ? accept.word()
        : target
            .setting("HOLDFAST_ACCEPT")
            .filter(it -> Arrays.stream(Proof.values()).anyMatch(known -> known.word().equals(it)))
            .orElse("");
  }

  private String configuration(SlurmFolder target) {
    return configuration != null
        ? configuration
        : target
            .setting("SLURM_CONF")
            .orElseGet(() -> target.folder().resolve("slurm.conf").toString());
  }
}
