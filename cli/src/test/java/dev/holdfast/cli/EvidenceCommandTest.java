package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.archive.ArchiveLimits;
import dev.holdfast.core.archive.Seal;
import dev.holdfast.core.health.Evidence;
import dev.holdfast.core.health.FaultClass;
import dev.holdfast.core.health.Finding;
import dev.holdfast.core.health.Proof;
import dev.holdfast.core.health.Severity;
import dev.holdfast.core.health.Subject;
import dev.holdfast.core.report.Statement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One incident in one file: whole, signed, without secrets, and checked by whoever gets it. */
@Timeout(60)
class EvidenceCommandTest {
  private static final String TOKEN = "hf_" + "Ab-_9".repeat(8);

  @TempDir Path folder;
  private TestCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new TestCluster(Files.createDirectory(folder.resolve("state")));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private TestConsole run(int expected, String... words) {
    TestConsole console = new TestConsole();
    List<String> all = new ArrayList<>(List.of(words));
    if (!all.contains("verify")) {
      all.addAll(cluster.options());
    }
    assertThat(console.run(all.toArray(String[]::new)))
        .as(console.out() + console.err())
        .isEqualTo(expected);
    return console;
  }

  private Path bundle() {
    Path file = folder.resolve("i-1.zip");
    run(0, "evidence", "i-1", "-o", file.toString());
    return file;
  }

  private static Map<String, byte[]> members(Path file) throws Exception {
    return Seal.read(
            "x",
            Files.readAllBytes(file),
            dev.holdfast.control.api.EvidenceBundle.KIND,
            ArchiveLimits.DEFAULT)
        .archive()
        .members();
  }

  private static String text(Map<String, byte[]> members, String name) {
    byte[] content = members.get(name);
    assertThat(content).as(name + " of " + members.keySet()).isNotNull();
    return new String(content, StandardCharsets.UTF_8);
  }

  @Test
  void itHoldsTheIncidentItsEvidenceItsDecisionsAndItsPartOfTheJournal() throws Exception {
    Map<String, byte[]> members = members(bundle());
    assertThat(text(members, "incident.json")).contains("\"i-1\"", "GPU 3 does not answer");
    assertThat(text(members, "findings.txt")).contains("nvml: GPU is lost");
    assertThat(text(members, "decisions.json")).contains("drain-now", "alternatives");
    assertThat(text(members, "nodes/n2.json")).contains("H200");
    assertThat(members).doesNotContainKey("nodes/n10.json");
    assertThat(text(members, "versions.json")).contains("580.65");
    String journal = text(members, "journal.jsonl");
    assertThat(journal)
        .contains("incident.opened", "finding.raised", "decision.made")
        .doesNotContain("\"n10\"");
  }

  @Test
  void whoeverGetsItChecksItWithTheKeyAndWithoutTheControlPlane() throws Exception {
    Path file = bundle();
    Path key = Files.writeString(folder.resolve("pub"), run(0, "evidence", "--public-key").out());
    cluster.close();
    assertThat(run(0, "evidence", "verify", file.toString(), "--key", key.toString()).out())
        .contains("nothing was changed", "signed with the key in");
    assertThat(run(0, "evidence", "verify", file.toString()).err()).contains("cannot be told");
    Files.writeString(
        key,
        Seal.show(
            java.security.KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic()));
    assertThat(run(1, "evidence", "verify", file.toString(), "--key", key.toString()).err())
        .contains("another key");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThat(run(2, "evidence", "verify", file.toString()).err()).contains("HF-11");
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 3));
    assertThat(run(2, "evidence", "verify", file.toString()).err()).contains("HF-11");
    assertThat(run(2, "evidence", "verify", folder.resolve("none").toString()).err())
        .contains("no such file");
  }

  @Test
  void tokensAndPasswordsAreBlanked() throws Exception {
    cluster.tell(
        "node/n2",
        new Statement.Raised(
            new Finding(
                "gpu.reachable",
                new Subject.Node("n2").gpu(3),
                Finding.Kind.CONDITION,
                Severity.FATAL,
                FaultClass.HARDWARE,
                Proof.HARDWARE,
                "GPU 3 is gone; password=hunter2",
                Optional.empty(),
                List.of(new Evidence("log", "curl -H 'Authorization: Bearer " + TOKEN + "' x")),
                "m",
                "r"),
            1));
    Path file = bundle();
    members(file)
        .forEach(
            (name, content) ->
                assertThat(new String(content, StandardCharsets.UTF_8))
                    .as(name)
                    .doesNotContain(TOKEN)
                    .doesNotContain("hunter2"));
    assertThat(text(members(file), "findings.txt")).contains("(blanked)");
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThat(run(2, "evidence", "i-99").err()).contains("HF-1506", "no incident i-99");
    assertThat(run(2, "evidence").err()).contains("--public-key");
    assertThat(run(3, "evidence", "i-1", "-o", "/nowhere/x.zip").err()).contains("HF-1006");
  }
}
