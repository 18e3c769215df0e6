package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.text.Json;
import dev.holdfast.os.process.Command;
import dev.holdfast.os.process.CommandResult;
import dev.holdfast.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person meets on the command line: answers, messages, exit codes. */
class CommandsTest {
  private final TestConsole console = new TestConsole();

  @TempDir Path folder;

  private static String node(String name) {
    return Golden.root().resolve("fixtures/nodes").resolve(name).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "clean, warning, 0",
    "gpu-lost, fatal, 1",
    "gpu-lost, degraded, 1",
    "nic-firmware-mixed, fatal, 0",
    "nic-firmware-mixed, warning, 1",
  })
  void theExitCodeFollowsTheWorstFindingAndFailOn(String fixture, String failOn, int code) {
    assertThat(console.run("doctor", "--from", node(fixture), "--fail-on", failOn)).isEqualTo(code);
  }

  @Test
  void byDefaultWarningsDoNotFail() {
    assertThat(console.run("doctor", "--from", node("nic-firmware-mixed"))).isZero();
    assertThat(console.run("doctor", "--from", node("gpu-lost"))).isOne();
  }

  @Test
  void answersGoToStdoutAndNothingElseDoes() {
    console.run("doctor", "--from", node("gpu-lost"));
    assertThat(console.out()).contains("not fit to join a run", "gpu.count");
    assertThat(console.err()).isEmpty();
  }

  @Test
  void levelsHaveNumbersToo() {
    console.run("doctor", "-r", "2", "--format", "json", "--from", node("clean"));
    assertThat(Json.object(console.out())).containsEntry("level", "quick");
    assertThat(console.out()).contains("no active checks are built in yet");
  }

  @Test
  void atLeastSixtyChecksAnswer() {
    console.run("doctor", "--format", "json", "--from", node("clean"));
    assertThat(console.out().split("\"outcome\"")).hasSizeGreaterThan(60);
  }

  @Test
  void onlyAndSkipChooseChecks() {
    console.run("doctor", "--only", "gpu", "--skip", "gpu.ecc", "--all", "--from", node("clean"));
    assertThat(console.out()).contains("gpu.count").doesNotContain("gpu.ecc.mode", "processor.");
  }

  @Test
  void anUnknownCheckIsAUsageErrorWithASuggestion() {
    assertThat(console.run("doctor", "--only", "gpu.cont", "--from", node("clean"))).isEqualTo(2);
    assertThat(console.err()).contains("HF-1002", "did you mean 'gpu.count'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/no/such/file", "/dev/null"})
  void aMissingOrEmptySnapshotIsAClearError(String file) {
    assertThat(console.run("doctor", "--from", file)).isEqualTo(2);
    assertThat(console.err()).containsPattern("HF-1\\d\\d\\d .*" + file);
  }

  @Test
  void aHookPrintsOneLineThatNamesTheWorstProvenFinding() {
    console.run("doctor", "--hook", "prolog", "--from", node("gpu-lost"));
    assertThat(console.out()).startsWith("holdfast: gpu.count").hasLineCount(1);
  }

  @Test
  void aHookNeverFailsOnWarnings() {
    int code = console.run("doctor", "--hook", "epilog", "--from", node("nic-firmware-mixed"));
    assertThat(code).isZero();
    assertThat(console.out()).startsWith("holdfast: ok").hasLineCount(1);
  }

  @Test
  void aHookThatCannotExamineDoesNotFailTheNode() {
    int code = console.run("doctor", "--hook", "prolog", "--from", "/no/such/file");
    assertThat(code).isZero();
    assertThat(console.out()).startsWith("holdfast: not examined: HF-1005").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sagemaker", "azureml", "modelarts", "k8s"})
  void contractsRunTheirOwnChecksOnly(String platform) {
    console.run("doctor", "--contract", platform, "--all", "--from", node("clean"));
    assertThat(console.out()).contains("contract.").doesNotContain("gpu.count");
  }

  @Test
  void anUnknownPlatformIsAUsageError() {
    assertThat(console.run("doctor", "--contract", "sagemakr")).isEqualTo(2);
    assertThat(console.err()).contains("sagemaker");
  }

  @Test
  void prometheusGivesEveryOutcomeASeriesSoThatASkipIsNoZero() {
    console.run("doctor", "--format", "prometheus", "--from", node("gpu-lost"));
    assertThat(console.out())
        .contains(
            "holdfast_check_outcome{node=\"gpu-lost\",check=\"gpu.count\",outcome=\"fail\"} 1")
        .contains("severity=\"fatal\"");
    assertThat(console.out().lines().filter(line -> !line.startsWith("#")))
        .allMatch(line -> line.matches("[a-z_]+\\{[^}]*\\} [0-9.]+"));
  }

  @Test
  void junitCountsFailuresAndSkips() {
    console.run("doctor", "--format", "junit", "--from", node("gpu-lost"));
    assertThat(console.out())
        .startsWith("<?xml")
        .contains("<failure", "<skipped")
        .contains("</testsuite>");
  }

  @Test
  void whatIsLearntFromANodeIsMetByThatNode() throws Exception {
    console.run("doctor", "--learn", "--from", node("clean"));
    Path file = Files.writeString(folder.resolve("expect.yaml"), console.out());
    TestConsole again = new TestConsole();
    int code =
        again.run(
            "doctor", "--from", node("clean"), "--expect", file.toString(), "--fail-on", "warning");
    assertThat(code).as(again.out()).isZero();
    TestConsole lost = new TestConsole();
    lost.run("doctor", "--from", node("gpu-lost"), "--expect", file.toString());
    assertThat(lost.out()).contains("the site expects 8");
  }

  @Test
  void aKernelLogAloneIsJudged() throws Exception {
    Path log =
        Files.writeString(
            folder.resolve("dmesg-n17.log"),
            "[  100.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=7, GPU has fallen off the bus.\n");
    assertThat(console.run("doctor", "--from", log.toString())).isEqualTo(1);
    assertThat(console.out())
        .startsWith("n17  not fit")
        .contains("gpu.kernel.xid", "fell off the bus", "skipped only a kernel log was given");
    TestConsole beside = new TestConsole();
    assertThat(beside.run("doctor", "--from", node("clean"), "--kernel-log", log.toString()))
        .isEqualTo(1);
    assertThat(beside.out()).contains("gpu.kernel.xid").doesNotContain("only a kernel log");
    TestConsole none = new TestConsole();
    Path other = Files.writeString(folder.resolve("x.txt"), "step 1 loss 2.5\n");
    assertThat(none.run("doctor", "--from", other.toString())).isEqualTo(2);
    assertThat(none.err()).contains("HF-1101", "neither a snapshot nor a kernel log");
  }

  @Test
  void aBrokenExpectationNamesFileAndLine() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("e.yaml"), "schema: holdfast.expect/1\nacelerators:\n  gpu.count: 8\n");
    assertThat(console.run("doctor", "--from", node("clean"), "--expect", file.toString()))
        .isEqualTo(2);
    assertThat(console.err()).contains("HF-1003", "e.yaml:2", "accelerators");
  }

  @ParameterizedTest
  @CsvSource({
    "xid 79, fell off the bus",
    "xid 31, page fault",
    "sxid 20034, LTSSM",
    "HF-1102, truncated",
    "gpu.count, accelerator",
  })
  void explainKnows(String words, String part) {
    String[] split = words.split(" ");
    String[] arguments = new String[split.length + 1];
    arguments[0] = "explain";
    System.arraycopy(split, 0, arguments, 1, split.length);
    assertThat(console.run(arguments)).isZero();
    assertThat(console.out()).containsIgnoringCase(part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "xid 79; fell off the bus",
        "NVRM: Xid (PCI:0000:61:00): 79, pid=1, name=x; fell off the bus",
        "gpu.ecc; gpu.ecc.uncorrected",
        "nccl Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7; another rank did not",
      })
  void explainTakesAPastedLineAndAGroup(String word, String part) {
    assertThat(console.run("explain", word)).isZero();
    assertThat(console.out()).contains(part);
  }

  @Test
  void aWrongValueIsToldWithTheWordsOfTheHelp() {
    assertThat(console.run("doctor", "--format", "yaml")).isEqualTo(2);
    assertThat(console.err()).contains("table, json, jsonl, junit, prometheus but was 'yaml'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xid 100000", "HF-9999", "gpu.nonsense", "xid abc"})
  void explainSaysWhenItKnowsNothing(String words) {
    String[] split = ("explain " + words).split(" ");
    assertThat(console.run(split)).isEqualTo(2);
    assertThat(console.err()).contains("HF-1004");
  }

  @Test
  void aMistypedCommandGetsASuggestion() {
    assertThat(console.run("docter")).isEqualTo(2);
    assertThat(console.err()).contains("HF-1001", "doctor");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completionNamesEveryCommand(String shell) {
    assertThat(console.run("completion", shell)).isZero();
    assertThat(console.out()).contains("doctor", "snapshot", "explain");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completionKnowsTheChecksAndTheirGroups(String shell) {
    console.run("completion", shell);
    List<String> lines =
        console.out().lines().filter(line -> line.contains("gpu.ecc.uncorrected")).toList();
    assertThat(lines).hasSize(2).allMatch(line -> line.contains("nic"));
  }

  @Test
  void theTabKeyCompletesACheckInBash() throws IOException {
    console.run("completion", "bash");
    String script =
        console.out()
            + """
            COMP_WORDS=(holdfast doctor --only gpu.ecc.unc)
            COMP_CWORD=3
            COMP_LINE="holdfast doctor --only gpu.ecc.unc"
            COMP_POINT=${#COMP_LINE}
            _complete_holdfast
            printf '%s\n' "${COMPREPLY[@]}"
            """;
    Path file = Files.writeString(folder.resolve("complete.sh"), script);
    CommandResult result = Command.of("bash", file.toString()).run();
    assertThat(result.output()).as(result.error()).isEqualTo("gpu.ecc.uncorrected\n");
  }

  @Test
  void completedChoicesAreWrittenSmall() {
    console.run("completion", "bash");
    assertThat(console.out()).contains("\"prometheus\"").doesNotContain("\"PROMETHEUS\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"doctor --from %s", "doctor --watch 1 --from %s", "bind --tasks 1", "help"})
  void aFullDiskIsSaidAndEndsWhatWouldGoOn(String words) {
    CommandResult result =
        Command.of(
                "sh",
                "-c",
                "exec \"$0\" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
                    + " -cp \"$1\" dev.holdfast.cli.Main "
                    + words.formatted(node("clean"))
                    + " >/dev/full",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                System.getProperty("java.class.path"))
            .within(Duration.ofSeconds(60))
            .run();
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.error()).contains("HF-1006", "No space left on device");
  }

  @Test
  void withoutArgumentsTheMapIsShown() {
    assertThat(console.run()).isZero();
    assertThat(console.out()).contains("Commands:", "doctor");
  }
}
