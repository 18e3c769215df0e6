package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks and job scripts, without a Slurm: what is written, what is left alone, what scripts do. */
class SlurmCommandsTest {
  @TempDir Path folder;

  private final TestConsole console = new TestConsole();

  @Test
  void aDryRunWritesNothing() throws IOException {
    assertThat(install("--dry-run")).isZero();
    assertThat(console.out()).contains("would write").contains("prolog.d/45-holdfast");
    assertThat(files()).isEmpty();
  }

  @Test
  void whatWasInstalledIsRemovedWithoutATrace() throws IOException {
    Path theirs = Files.createDirectories(folder.resolve("slurm/prolog.d")).resolve("10-site");
    Files.writeString(theirs, "#!/bin/sh\n");
    assertThat(install()).isZero();
    assertThat(install()).isZero();
    assertThat(console.out()).contains("as it should be");
    assertThat(checked().succeeded()).isTrue();
    assertThat(console.run("slurm", "uninstall", "--dir=" + slurm())).isZero();
    assertThat(files()).containsExactly(theirs);
    assertThat(slurm().resolve("epilog.d")).doesNotExist();
  }

  @Test
  void whatSomebodyChangedIsTheirs() throws IOException {
    install();
    Path settings = slurm().resolve("holdfast/settings");
    Files.writeString(settings, Files.readString(settings) + "# ours now\n");
    String changed = Files.readString(settings);
    install("--enforce");
    assertThat(console.out()).contains("kept").contains("changed by hand");
    assertThat(checked().succeeded()).isFalse();
    assertThat(console.run("slurm", "uninstall", "--dir=" + slurm())).isEqualTo(1);
    assertThat(settings).hasContent(changed);
    assertThat(slurm().resolve("prolog.d")).doesNotExist();
  }

  @Test
  void anUpdateKeepsWhatSettingsSay() throws IOException {
    install("--enforce", "--slurm-conf=/cm/slurm.conf");
    install();
    assertThat(slurm().resolve("holdfast/settings"))
        .content()
        .contains("HOLDFAST_ENFORCE=yes", "SLURM_CONF='/cm/slurm.conf'");
    install("--no-enforce");
    assertThat(slurm().resolve("holdfast/settings")).content().contains("HOLDFAST_ENFORCE=no");
  }

  @Test
  void whatMayDrainIsSaidInTheSettingsAndKept() throws IOException {
    install("--enforce");
    Path settings = slurm().resolve("holdfast/settings");
    assertThat(settings).content().contains("\nHOLDFAST_ACCEPT=\n");
    install("--accept=recorded");
    install();
    assertThat(settings).content().contains("HOLDFAST_ENFORCE=yes", "HOLDFAST_ACCEPT=recorded");
    assertThat(install("--accept=rumoured")).isEqualTo(2);
  }

  /** The scripts as they are, with a program that only tells how it was called. */
  @Test
  void theHooksAskForWhatTheSettingsSay() throws Exception {
    Path program = Files.writeString(folder.resolve("told"), "#!/bin/sh\necho \"$@\"\nexit 1\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    String own = "--program=" + program;
    install(own, "--enforce");
    assertThat(output("health")).isEqualTo("doctor --hook health\n");
    install(own, "--enforce", "--accept=recorded");
    assertThat(output("health")).isEqualTo("doctor --hook health --accept recorded\n");
    assertThat(output("../prolog.d/45-holdfast"))
        .isEqualTo(
            "doctor --hook prolog --accept recorded\ndoctor --hook health --accept recorded\n");
    install(own, "--no-enforce");
    assertThat(output("health")).isEqualTo("doctor --hook health --dry-run --accept recorded\n");
  }

  private String output(String script) throws Exception {
    Process process =
        new ProcessBuilder(slurm().resolve("holdfast/" + script).toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isOne();
    return text;
  }

  @Test
  void aFileThatIsNotOursStopsEverything() throws IOException {
    Path theirs = Files.createDirectories(slurm().resolve("epilog.d")).resolve("45-holdfast");
    Files.writeString(theirs, "theirs");
    assertThat(install()).isEqualTo(3);
    assertThat(console.err()).contains("HF-1006").contains("not ours");
    assertThat(files()).containsExactly(theirs);
  }

  @Test
  void aListThatLeadsOutIsRefused() throws IOException {
    Path list = Files.createDirectories(slurm().resolve("holdfast")).resolve("installed");
    Path victim = Files.writeString(folder.resolve("victim"), "x");
    Files.writeString(list, "# folder made: ../..\n" + "0".repeat(64) + "  a/../../victim\n");
    assertThat(console.run("slurm", "uninstall", "--dir=" + slurm())).isEqualTo(2);
    assertThat(victim).exists();
  }

  @Test
  void namesThatWouldBreakAScriptAreRefused() {
    assertThat(install("--program=/opt/it's/holdfast")).isEqualTo(2);
    assertThat(console.run("slurm", "install", "--dir=" + folder + "/a b")).isEqualTo(2);
    assertThat(console.run("slurm", "template", "--name=a b")).isEqualTo(2);
    assertThat(console.run("slurm", "template", "--time=1\n#SBATCH")).isEqualTo(2);
  }

  @Test
  void everyScriptIsClean() throws IOException {
    install();
    console.run("slurm", "template", "--image=nvcr.io#nvidia/pytorch:26", "a b.py", "--x='y'");
    Path boxed = Files.writeString(folder.resolve("boxed.sbatch"), script(console));
    TestConsole plain = new TestConsole();
    plain.run("slurm", "template", "--gpus=0", "--ranks=2");
    assertThat(plain.out()).doesNotContainPattern("@[A-Z]+@").doesNotContain("gpus-per-node");
    Path bare = Files.writeString(folder.resolve("bare.sbatch"), plain.out());
    List<String> line = new ArrayList<>();
    line.add(Tools.require("shellcheck", "shellcheck").toString());
    line.addAll(List.of(boxed.toString(), bare.toString()));
    try (Stream<Path> files = Files.walk(slurm())) {
      files
          .filter(Files::isExecutable)
          .filter(Files::isRegularFile)
          .forEach(it -> line.add(it + ""));
    }
    line.add(slurm().resolve("holdfast/common").toString());
    assertThat(line).hasSizeGreaterThan(8);
    CommandResult said = Command.of(line).within(Duration.ofSeconds(60)).run();
    assertThat(said.output()).isEmpty();
    assertThat(said.succeeded()).as(said.why()).isTrue();
  }

  @Test
  void jobsInContainersGetPyxisFlagsAndOneLauncherANode() {
    console.run("slurm", "template", "--nodes=4", "--image=reg#img:1", "train.py", "--nodes", "9");
    assertThat(console.out())
        .contains("#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=1\n")
        .contains("--container-image='reg#img:1'")
        .contains("train.py --nodes 9 &");
  }

  /** What comes first decides: is it unfit at the second look, too, and is acting allowed? */
  @Test
  void aPrologKeepsJobsAwayOnlyFromNodesThatAreUnfitAndOnlyIfItMay() throws IOException {
    assertThat(prolog("exit 0", "--enforce").exitCode()).isZero();
    assertThat(prolog("exit 1").exitCode()).isZero();
    assertThat(prolog("exit 1").error()).contains("observing only");
    assertThat(prolog("exit 1", "--enforce").exitCode()).isEqualTo(1);
    assertThat(run("epilog.d/45-holdfast").exitCode()).isEqualTo(1);
    assertThat(run("holdfast/health").exitCode()).isEqualTo(1);
    assertThat(prolog("case $3 in prolog) exit 1;; esac", "--enforce").exitCode()).isZero();
    assertThat(prolog("exit 3", "--enforce").exitCode()).isZero();
    Files.delete(folder.resolve("program"));
    assertThat(run("prolog.d/45-holdfast").exitCode()).isZero();
  }

  @Test
  void baseCommandManagerIsToldWhatIsKnown() throws IOException {
    prolog("echo holdfast: ok, 40 pass");
    assertThat(run("holdfast/bcm-health").output()).isEqualTo("PASS\n");
    prolog("echo holdfast: gpu.count: one is missing; exit 1");
    assertThat(run("holdfast/bcm-health").output()).isEqualTo("FAIL\n");
    prolog("echo holdfast: not examined: HF-1003; exit 0");
    assertThat(run("holdfast/bcm-health").output()).isEqualTo("UNKNOWN\n");
    Files.delete(folder.resolve("program"));
    assertThat(run("holdfast/bcm-health").output()).isEqualTo("UNKNOWN\n");
  }

  /** Runs the prolog with a program that does this. */
  private CommandResult prolog(String script, String... options) throws IOException {
    Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> line = new ArrayList<>(List.of(options));
    line.add("--program=" + program);
    if (line.size() == 1) {
      line.add("--no-enforce");
    }
    assertThat(install(line.toArray(String[]::new))).isZero();
    return run("prolog.d/45-holdfast");
  }

  /** As Slurm does it: with an empty environment. */
  private CommandResult run(String script) {
    return Command.of("/usr/bin/env", "-i", slurm().resolve(script).toString()).run();
  }

  private CommandResult checked() {
    return Command.of("sh", "-c", "cd '" + slurm() + "' && sha256sum --quiet -c holdfast/installed")
        .run();
  }

  private static String script(TestConsole console) {
    return console.out().substring(console.out().indexOf("#!"));
  }

  private int install(String... options) {
    List<String> line = new ArrayList<>(List.of("slurm", "install", "--dir=" + slurm()));
    line.addAll(List.of(options));
    return console.run(line.toArray(String[]::new));
  }

  private Path slurm() {
    return folder.resolve("slurm");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
